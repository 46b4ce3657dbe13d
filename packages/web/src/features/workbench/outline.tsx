import { EmptyState } from "../../ui/empty-state.tsx";
import type { OutlineEntry } from "./language/document-language.ts";
import { Button } from "../../ui/button.tsx";

const KINDS: { readonly [kind in OutlineEntry["kind"]]: string } = {
  process: "",
  input: "input",
  step: "step",
  output: "output",
};

interface OutlineProps {
  readonly entries: readonly OutlineEntry[];
  readonly onShow: (offset: number) => void;
}

/** The inputs, steps and outputs of a document; each leads to its place in the text. */
export function Outline({ entries, onShow }: OutlineProps) {
  if (entries.length === 0) return <EmptyState text="The text has errors and has no outline." />;
  return (
    <ul className="card max-h-[70vh] space-y-1 overflow-y-auto p-3">
      {entries.map((entry) => (
        <li key={`${entry.kind} ${entry.name} ${entry.from}`}>
          <Button
            look="bare"
            className="flex min-h-8 w-full items-baseline gap-2 rounded px-2 text-left hover:bg-accent-soft"
            onClick={() => onShow(entry.from)}
          >
            <span className="font-medium">{entry.name}</span>
            <span className="text-small text-soft">
              {KINDS[entry.kind]} {entry.detail}
            </span>
          </Button>
          {entry.children.length > 0 && (
            <div className="ml-4">
              <OutlineChildren entries={entry.children} onShow={onShow} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function OutlineChildren({ entries, onShow }: OutlineProps) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={`${entry.kind} ${entry.name}`}>
          <Button
            look="bare"
            className="flex min-h-8 w-full items-baseline gap-2 rounded px-2 text-left hover:bg-accent-soft"
            onClick={() => onShow(entry.from)}
          >
            {entry.name}{" "}
            <span className="text-small text-soft">
              {KINDS[entry.kind]} {entry.detail}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
