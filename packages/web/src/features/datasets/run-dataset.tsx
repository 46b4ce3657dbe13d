import { writeConditions } from "@weft/shared/dataset/condition-text.ts";
import type { DatasetOfRun, QueryResult } from "@weft/shared/records/dataset-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import { datasetPath } from "../../components/dataset-paths.ts";
import { countText } from "../../format/count-text.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Facts, type Fact } from "../../ui/facts.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { QueryResultView } from "./query-result.tsx";
import { columnInWords, conditionsInWords, unitInWords } from "./query-words.ts";
import { SinceThen } from "./since-then.tsx";

export interface RunDatasetProps {
  readonly run: Run;
  readonly dataset: DatasetOfRun;
}

/** The query that gave a run its samples: what it found and left out at that time, and what is new since. */
export function RunDataset({ run, dataset }: RunDatasetProps) {
  const [isShown, setIsShown] = useState(false);
  const [isAskedAgain, setIsAskedAgain] = useState(false);
  return (
    <TitledSection
      title="Samples from a dataset"
      card
      aside={
        <button type="button" className="btn btn-small" disabled={isAskedAgain} onClick={() => setIsAskedAgain(true)}>
          Run this query again now
        </button>
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

function factsOf(run: Run, { query, name, asked_at: askedAt, result }: DatasetOfRun): readonly Fact[] {
  const { where = [], per, columns } = query;
  return [
    [
      "Dataset",
      <Link key="dataset" className="link code" to={datasetPath(query, run.network?.id ?? "")}>
        {query.location}
      </Link>,
    ],
    ...(query.pattern === undefined ? [] : ([["File names", query.pattern]] as const)),
    ...(name === null ? [] : ([["Saved query", name]] as const)),
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
