import { diffArrays } from "diff";
import { useMemo } from "react";

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

/** A line of both texts or one of them; line numbers start at 1. */
export type DiffLine =
  | { readonly kind: "same"; readonly text: string; readonly before: number; readonly after: number }
  | { readonly kind: "removed"; readonly text: string; readonly before: number }
  | { readonly kind: "added"; readonly text: string; readonly after: number };

/** Maximum number of changes; beyond it, the texts are unrelated. */
const MAX_CHANGES = 2000;

const AROUND = 3;

/** The shortest line diff of two texts; undefined if it has more than 2,000 changes. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_CHANGES });
  let [old, fresh] = [0, 0];
  return parts?.flatMap(({ value, removed, added }) =>
    value.map((text): DiffLine => {
      if (removed) return { kind: "removed", text, before: ++old };
      if (added) return { kind: "added", text, after: ++fresh };
      return { kind: "same", text, before: ++old, after: ++fresh };
    }),
  );
}

/** A line, or the number of unchanged lines omitted here. */
type ShownLine = DiffLine | { readonly kind: "folded"; readonly count: number };

/** Omits unchanged lines that are more than three lines from a change. */
export function foldSameLines(lines: readonly DiffLine[]): readonly ShownLine[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind === "same") return;
    for (let n = at - AROUND; n <= at + AROUND; n += 1) near.add(n);
  });
  const shown: ShownLine[] = [];
  for (const [at, line] of lines.entries()) {
    const last = shown.at(-1);
    if (near.has(at)) shown.push(line);
    else if (last?.kind === "folded") shown[shown.length - 1] = { kind: "folded", count: last.count + 1 };
    else shown.push({ kind: "folded", count: 1 });
  }
  return shown;
}
