import type { Tool } from "@weft/shared/records/process-record.ts";
import { useMemo } from "react";
import { diffLines } from "../../format/diff-lines.ts";
import { foldSameLines, type ShownLine } from "./fold-same-lines.ts";
import { pairSources, type SourcePair } from "./pair-sources.ts";

/** What the documents of two versions say differently, line by line. */
export function SourceDiff({ older, newer }: { readonly older: Tool; readonly newer: Tool }) {
  const pairs = useMemo(() => pairSources(older.source, newer.source), [older, newer]);
  return (
    <section aria-labelledby="source-diff-title" className="space-y-4">
      <h2 id="source-diff-title">Source</h2>
      {pairs.map((pair) => (
        <FileDiff key={pair.name} pair={pair} />
      ))}
    </section>
  );
}

function FileDiff({ pair }: { readonly pair: SourcePair }) {
  const lines = useMemo(() => diffLines(linesOf(pair.before), linesOf(pair.after)), [pair]);
  const isSame = lines?.every(({ kind }) => kind === "same") === true;
  return (
    <div>
      <h3 className="code mb-1 wrap-anywhere">
        {pair.name}
        {pair.before === undefined && " (new)"}
        {pair.after === undefined && " (removed)"}
      </h3>
      {lines === undefined ? (
        <p className="text-soft">The texts have too little in common to be compared line by line.</p>
      ) : isSame ? (
        <p className="text-soft">The same.</p>
      ) : (
        <div
          tabIndex={0}
          role="region"
          aria-label={`Changes of ${pair.name}`}
          className="card code max-h-[75vh] overflow-auto py-2"
        >
          <ol>
            {foldSameLines(lines).map((line, n) => (
              <DiffRow key={n} line={line} />
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

function linesOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.replace(/\n$/, "").split("\n");
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
        … {line.count} equal {line.count === 1 ? "line" : "lines"}
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
