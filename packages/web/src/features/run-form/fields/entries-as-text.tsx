import { useId, useState } from "react";

export interface EntriesAsTextProps {
  readonly label: string;
  /** One line per entry. */
  readonly text: () => string;
  readonly onLines: (lines: readonly string[]) => void;
}

/** All entries of a list as text, to paste or edit at once. */
export function EntriesAsText({ label, text, onLines }: EntriesAsTextProps) {
  const [first, setFirst] = useState<string | undefined>(undefined);
  if (first !== undefined)
    return (
      <LinesEditor
        label={label}
        first={first}
        onDone={(lines) => {
          if (lines !== undefined) onLines(lines);
          setFirst(undefined);
        }}
      />
    );
  return (
    <button type="button" className="btn" aria-label={`Edit as text: ${label}`} onClick={() => setFirst(text())}>
      Edit as text
    </button>
  );
}

interface LinesEditorProps {
  readonly label: string;
  readonly first: string;
  /** Undefined: change nothing. */
  readonly onDone: (lines: readonly string[] | undefined) => void;
}

function LinesEditor({ label, first, onDone }: LinesEditorProps) {
  const id = useId();
  const [draft, setDraft] = useState(first);
  const lines = draft.split(/\r?\n/).map((line) => line.trim());
  return (
    <div className="mt-2 w-full">
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}, one entry per line
      </label>
      <textarea
        id={id}
        rows={10}
        spellCheck={false}
        wrap="off"
        className="input code"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <span className="mt-2 flex gap-2">
        <button type="button" className="btn" onClick={() => onDone(lines.filter((line) => line !== ""))}>
          Apply
        </button>
        <button type="button" className="btn btn-quiet" onClick={() => onDone(undefined)}>
          Cancel
        </button>
      </span>
    </div>
  );
}
