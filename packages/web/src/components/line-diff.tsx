import { useMemo } from "react";
import { type ShownLine, diffLines, foldSameLines } from "../format/diff-lines.ts";

interface LineDiffProps {
  /** Name of the lines for screen readers. */
  readonly label: string;
  /** The older text; empty if only the newer one exists. */
  readonly before: string;
  readonly after: string;
}

/** Compares two texts line by line: shows removed and added lines with three equal lines of context. */
export function LineDiff({ label, before, after }: LineDiffProps) {
  const lines = useMemo(() => diffLines(linesOf(before), linesOf(after)), [before, after]);
  if (lines === undefined) return <p className="text-soft">Too different for a line diff.</p>;
  if (lines.every(({ kind }) => kind === "same")) return <p className="text-soft">Identical.</p>;
  return (
    <div tabIndex={0} role="region" aria-label={label} className="card code max-h-[75vh] overflow-auto py-2">
      <ol>
        {foldSameLines(lines).map((line, n) => (
          <DiffRow key={n} line={line} />
        ))}
      </ol>
    </div>
  );
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

const LOOKS = {
  same: { sign: " ", word: "", className: "" },
  removed: { sign: "−", word: "removed: ", className: "bg-failed-soft" },
  added: { sign: "+", word: "added: ", className: "bg-success-soft" },
} as const;

function DiffRow({ line }: { readonly line: ShownLine }) {
  if (line.kind === "folded")
    return (
      <li className="bg-sunken px-3 text-soft select-none">
        … {line.count} unchanged {line.count === 1 ? "line" : "lines"}
      </li>
    );
  const look = LOOKS[line.kind];
  return (
    <li className={`flex whitespace-pre ${look.className}`}>
      <LineNumber number={"before" in line ? line.before : undefined} />
      <LineNumber number={"after" in line ? line.after : undefined} />
      <span aria-hidden="true" className="w-5 shrink-0 select-none">
        {look.sign}
      </span>
      <span className="sr-only">{look.word}</span>
      <span className="pr-4">{line.text === "" ? " " : line.text}</span>
    </li>
  );
}

function LineNumber({ number }: { readonly number: number | undefined }) {
  return (
    <span aria-hidden="true" className="w-11 shrink-0 pr-2 text-right text-soft select-none">
      {number}
    </span>
  );
}
