import { useQuery } from "@tanstack/react-query";
import { compareResults, type SampleChange } from "@weft/shared/dataset/compare-results.ts";
import type { QueryResult } from "@weft/shared/records/dataset-record.ts";
import { useCallback, useMemo } from "react";
import { Link } from "react-router-dom";
import { datasetResultQuery } from "../../api/dataset-queries.ts";
import { useRights } from "../../api/session-query.ts";
import type { QueryState } from "../../components/dataset-paths.ts";
import { runFormPath } from "../../components/run-paths.ts";
import { countText, numberText } from "../../format/count-text.ts";
import { QueryView } from "../../ui/query-view.tsx";
import type { RunDatasetProps } from "./run-dataset.tsx";
import { ValueGrid } from "./value-grid.tsx";

/** The current result of a run's query, compared with the earlier one. */
export function SinceThen(props: RunDatasetProps) {
  const now = useQuery(datasetResultQuery(props.dataset.query));
  return (
    <div className="mt-3" aria-live="polite">
      <QueryView query={now}>{(result) => <Changes {...props} now={result} />}</QueryView>
    </div>
  );
}

function Changes({ run, dataset, now }: RunDatasetProps & { readonly now: QueryResult }) {
  const changes = useMemo(() => compareResults(dataset.result, now), [dataset, now]);
  const total = countText(now.samples.length, "sample");
  if (changes.length === 0) return <p>Now the query finds the same: {total}.</p>;
  const fresh = changes.filter(({ kind }) => kind === "new").map(({ name }) => name);
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>
          Now the query finds {total}: {countsText(changes)}.
        </p>
        <StartNew run={run} state={{ datasetQuery: dataset.query, samples: fresh }} />
      </div>
      <ChangeGrid changes={changes} />
    </div>
  );
}

function StartNew({ run, state }: Pick<RunDatasetProps, "run"> & { readonly state: Required<QueryState> }) {
  const mayRun = useRights().has("runner");
  if (!mayRun || run.network === undefined || state.samples.length === 0) return null;
  return (
    <Link className="btn btn-small" to={runFormPath(run.network.id)} state={state}>
      Start a run with {countText(state.samples.length, "new sample")}
    </Link>
  );
}

const KIND_WORDS = { new: "new", changed: "changed", gone: "no longer found" } as const;

function countsText(changes: readonly SampleChange[]): string {
  const counts = Map.groupBy(changes, ({ kind }) => kind);
  return [...counts].map(([kind, { length }]) => `${numberText(length)} ${KIND_WORDS[kind]}`).join(", ");
}

const COLUMNS = [
  { id: "name", label: "Sample", width: 150 },
  { id: "kind", label: "Since then", width: 130 },
  { id: "reason", label: "Reason", width: 320 },
] as const;

function ChangeGrid({ changes }: { readonly changes: readonly SampleChange[] }) {
  const cellAt = useCallback(
    (row: number, column: number) => {
      const change = changes[row];
      if (change === undefined) return "";
      return [change.name, KIND_WORDS[change.kind], reasonText(change)][column] ?? "";
    },
    [changes],
  );
  return <ValueGrid label="Changes since then" columns={COLUMNS} rows={changes.length} cellAt={cellAt} shown={8} />;
}

function reasonText({ kind, reason }: SampleChange): string {
  if (kind === "changed") return "other files, sizes or times";
  if (reason === "") return kind === "new" ? "" : "its files no longer exist";
  return kind === "new" ? `left out then: ${reason}` : reason;
}
