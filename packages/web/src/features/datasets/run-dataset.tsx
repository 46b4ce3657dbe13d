import { useQuery } from "@tanstack/react-query";
import { type SampleChange, compareResults } from "@weft/shared/dataset/compare-results.ts";
import { writeConditions } from "@weft/shared/dataset/condition-text.ts";
import type { DatasetOfRun, QueryResult } from "@weft/shared/records/dataset-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo, useState } from "react";
import { Link } from "react-router-dom";
import { datasetResultQuery } from "../../api/queries/dataset-queries.ts";
import { useRights } from "../../api/session-query.ts";
import type { QueryState } from "../../components/form-state.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { links } from "../../format/links.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Button } from "../../ui/button.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { type Fact, Facts, TitledSection } from "../../ui/titled-section.tsx";
import { columnInWords, conditionsInWords, unitInWords } from "./query-model.ts";
import { QueryResultView, type ValueColumn, ValueGrid } from "./query-result.tsx";

interface RunDatasetProps {
  readonly run: Run;
  readonly dataset: DatasetOfRun;
}

const KIND_WORDS = { new: "new", changed: "changed", gone: "no longer found" } as const;

const COLUMNS: readonly ValueColumn<SampleChange>[] = [
  { label: "Sample", width: 150, text: ({ name }) => name },
  { label: "Since then", width: 130, text: ({ kind }) => KIND_WORDS[kind] },
  { label: "Reason", width: 320, text: reasonText },
];

/** The query that selected the samples of a run: its results at that time, and the differences since. */
export function RunDataset({ run, dataset }: RunDatasetProps) {
  const [isShown, setIsShown] = useState(false);
  const [isAskedAgain, setIsAskedAgain] = useState(false);
  return (
    <TitledSection
      title="Samples from a dataset"
      card
      aside={
        <Button small disabled={isAskedAgain} onClick={() => setIsAskedAgain(true)}>
          Run this query again now
        </Button>
      }
    >
      <Facts facts={factsOf(run, dataset)} />
      {isAskedAgain && <SinceThen run={run} dataset={dataset} />}
      <details className="mt-3" onToggle={(event) => setIsShown(event.currentTarget.open)}>
        <summary className="w-fit cursor-pointer text-soft hover:text-ink">What it found and left out</summary>
        <div className="mt-3">{isShown && <QueryResultView result={dataset.result} isOld={false} />}</div>
      </details>
    </TitledSection>
  );
}

function factsOf(run: Run, { query, name, asked_at: askedAt, result }: DatasetOfRun): readonly (Fact | false)[] {
  const { where = [], per, columns } = query;
  return [
    [
      "Dataset",
      <Link key="dataset" className="link code" to={links.dataset(query, { network: run.network?.id })}>
        {query.location}
      </Link>,
    ],
    query.pattern !== undefined && ["File names", query.pattern],
    name !== null && ["Saved query", name],
    [
      "Query",
      <span key="query" title={writeConditions(where)}>
        {where.length === 0 ? "All files" : conditionsInWords(where)}; one sample for each {unitInWords(per)}
      </span>,
    ],
    ["Columns", columns.map(columnInWords).join("; ")],
    [
      "Asked",
      <span key="asked">
        <TimeAgo time={askedAt} />
        {askedAt !== run.created_at && <span className="text-soft"> for an earlier run</span>}
      </span>,
    ],
    ["Found", foundText(run, result)],
    ["Left out", `${countText(result.samples_left_out, "sample")}, ${countText(result.files_left_out, "file")}`],
  ];
}

/** An open run does not have all of its samples yet. */
function foundText(run: Run, { samples }: QueryResult): string {
  const all = countText(samples.length, "sample");
  const inRun = new Set(run.samples);
  const used = samples.filter(({ name }) => inRun.has(name)).length;
  return used === samples.length || !STATE_LOOKS[run.state].final ? all : `${all}; this run has ${used} of them`;
}

/** The current result of a run's query, compared with the earlier one. */
function SinceThen(props: RunDatasetProps) {
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
      <ValueGrid
        label="Changes since then"
        columns={COLUMNS}
        rows={changes.length}
        rowAt={(row) => changes[row]}
        shown={8}
      />
    </div>
  );
}

function StartNew({ run, state }: Pick<RunDatasetProps, "run"> & { readonly state: Required<QueryState> }) {
  const mayRun = useRights().has("runner");
  if (!mayRun || run.network === undefined || state.samples.length === 0) return null;
  return (
    <Link className="btn btn-small" to={links.network({ id: run.network.id }, { tab: "run" })} state={state}>
      Start a run with {countText(state.samples.length, "new sample")}
    </Link>
  );
}

function countsText(changes: readonly SampleChange[]): string {
  const counts = Map.groupBy(changes, ({ kind }) => kind);
  return [...counts].map(([kind, { length }]) => `${numberText(length)} ${KIND_WORDS[kind]}`).join(", ");
}

function reasonText({ kind, reason }: SampleChange): string {
  if (kind === "changed") return "other files, sizes or times";
  if (reason === "") return kind === "new" ? "" : "its files no longer exist";
  return kind === "new" ? `left out then: ${reason}` : reason;
}
