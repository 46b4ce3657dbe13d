import type { Tool } from "@weft/shared/records/process-record.ts";
import { useMemo } from "react";
import { LineDiff } from "../../components/line-diff.tsx";
import { pairSources, type SourcePair } from "./pair-sources.ts";

/** Line diff of the documents of two versions. */
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
  return (
    <div>
      <h3 className="code mb-1 wrap-anywhere">
        {pair.name}
        {pair.before === undefined && " (new)"}
        {pair.after === undefined && " (removed)"}
      </h3>
      <LineDiff label={`Changes of ${pair.name}`} before={pair.before ?? ""} after={pair.after ?? ""} />
    </div>
  );
}
