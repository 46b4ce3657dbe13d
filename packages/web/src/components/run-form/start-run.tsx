import { useQuery } from "@tanstack/react-query";
import { fillInputs } from "@weft/shared/dataset/fill-inputs.ts";
import { NOT_CHOSEN, narrowResult } from "@weft/shared/dataset/narrow-result.ts";
import type { DatasetOfNewRun, QueryResult } from "@weft/shared/records/dataset-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { Fragment, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { requestedSamplesQuery } from "../../api/queries/dataset-queries.ts";
import { jobListQuery } from "../../api/queries/job-queries.ts";
import { wholeRunQuery } from "../../api/queries/run-queries.ts";
import { type LeftOutSamples, readLeftOut, readQueryState } from "../form-state.ts";
import { RoleGate } from "../role-gate.tsx";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { valueText } from "../../format/value-text.ts";
import { Button } from "../../ui/button.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { namesOfRun } from "./model/named-samples.ts";
import { withoutElements } from "./model/form-store.ts";
import { focusField } from "./fields/form-context.ts";
import { FillProblems } from "./problems/problem-summary.tsx";
import { RunForm } from "./run-form.tsx";
import { type RunTarget, formKey } from "./run-target.ts";
import { scatteredInputs } from "./sample-grid/scattered-inputs.ts";

interface StartRunProps {
  readonly target: RunTarget;
}

/** The run form of a network or tool; opens the run when it starts. */
export default function StartRun({ target }: StartRunProps) {
  return (
    <RoleGate needs="runner" what="Starting a run">
      <FormStart target={target} />
    </RoleGate>
  );
}

/** Reads the run in `?from=`, whose inputs and options initially fill the form. */
function FormStart({ target }: StartRunProps) {
  const navigate = useNavigate();
  const [from] = useSearchParam("from");
  const { state } = useLocation();
  const [leftOut] = useState(() => readLeftOut(state));
  const [queryId] = useSearchParam("query");
  const asked = queryId === "" ? readQueryState(state) : { query_id: queryId };
  const openRun = (run: Run): void => {
    showToast(`${run.name} started`);
    void navigate(`/run/${run.run_id}`);
  };
  const earlier = useQuery({ ...wholeRunQuery(from), enabled: from !== "", staleTime: Number.POSITIVE_INFINITY });
  const start = startOf(target, earlier.data, leftOut);
  const filled = start === undefined ? target : { ...target, dataset: keptQuery(start.run) };
  // A copy of a run has its own saved form.
  const without = leftOut === undefined ? "" : ` without ${leftOut.indexes.join(" ")}`;
  const form = from === "" ? formKey(target) : `${formKey(target)} from ${from}${without}`;
  if (from !== "" && earlier.isPending) return <Skeleton />;
  if (asked !== undefined && from === "")
    return <StartFromDataset target={target} request={asked} onStarted={openRun} />;
  return (
    <>
      {from !== "" && (
        <p className="mb-3 text-soft wrap-anywhere">
          {start === undefined ? `Run ${from} could not be loaded, so the form is empty.` : start.note}{" "}
          {earlier.data !== undefined && leftOut === undefined && <FailedSamples run={earlier.data} target={target} />}
        </p>
      )}
      <RunForm key={form} form={form} target={filled} earlier={start?.run} onStarted={openRun} />
    </>
  );
}

const SHOWN_FAILED = 5;

/** The samples that failed in the earlier run, each leading to its row, because the same inputs fail again. */
function FailedSamples({ run, target }: StartRunProps & { readonly run: Run }) {
  const { data } = useQuery({
    ...jobListQuery(run.run_id, { state: "EXECUTOR_ERROR,SYSTEM_ERROR" }),
    enabled: run.outcome === "failure" && run.samples.length > 0,
  });
  const jobs = new Map(data?.jobs.flatMap((job) => (job.sample_id === null ? [] : [[job.sample_id, job]])));
  const failed = [...jobs].map(([sample, { scatter_index: index }]) => ({ sample, row: index[0] ?? 0 }));
  const more = data?.next_page_token === "" ? `${numberText(failed.length - SHOWN_FAILED)} more` : "more";
  const [column] = scatteredInputs(target.steps, target.inputs, run.inputs ?? {});
  if (failed.length === 0 || column === undefined) return null;
  return (
    <>
      Failed there:{" "}
      {failed.slice(0, SHOWN_FAILED).map(({ sample, row }, place) => (
        <Fragment key={sample}>
          {place > 0 && ", "}
          <Button look="link" onClick={() => focusField(jsonPointer([column.id, row]))}>
            {sample}
          </Button>
        </Fragment>
      ))}
      {failed.length > SHOWN_FAILED && ` and ${more}`}.
    </>
  );
}

/** The query of the earlier run, as long as some of its samples are left. The server knows whether there is one. */
function keptQuery({ run_id, inputs, samples }: Run): RunTarget["dataset"] {
  return samples.length === 0 ? undefined : { request: { run_id }, inputs: inputs ?? {} };
}

interface FormBeginning {
  readonly run: Run;
  /** A note for the user about the source of the values. */
  readonly note: string;
}

/** An earlier run, without the samples to leave out. */
function startOf(
  { steps, inputs }: RunTarget,
  run: Run | undefined,
  leftOut: LeftOutSamples["leftOut"] | undefined,
): FormBeginning | undefined {
  if (run === undefined) return undefined;
  const note = `Copied from ${run.name}`;
  if (leftOut === undefined) return { run, note: `${note}.` };
  const values = run.inputs ?? {};
  const rest = withoutElements(values, scatteredInputs(steps, inputs, values), leftOut.indexes);
  if (rest === undefined)
    return {
      run,
      note: `${note}. The form cannot leave out samples of this run; remove them from the inputs yourself.`,
    };
  const names = valueText(leftOut.names, 5);
  return {
    run: { ...run, inputs: rest, sample_names: namesWithout(run, new Set(leftOut.indexes)) },
    note: `${note}, without ${countText(leftOut.names.length, "sample")}: ${names}.`,
  };
}

function namesWithout({ sample_names: names = {} }: Run, left: ReadonlySet<number>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(names).map(([id, list]) => [id, list.filter((_, at) => !left.has(at))]));
}

interface StartFromDatasetProps {
  readonly target: RunTarget;
  readonly request: DatasetOfNewRun;
  readonly onStarted: (run: Run) => void;
}

/** The form of a network, filled with the samples of a query. */
function StartFromDataset(props: StartFromDatasetProps) {
  const samples = useQuery(requestedSamplesQuery(props.request));
  return <QueryView query={samples}>{(found) => <FilledForm {...props} found={found} />}</QueryView>;
}

function chosenOf(result: QueryResult, { samples }: DatasetOfNewRun): QueryResult {
  const chosen = new Set(samples);
  return samples === undefined
    ? result
    : narrowResult(result, ({ name }) => (chosen.has(name) ? undefined : NOT_CHOSEN));
}

function FilledForm({ target, request, found, onStarted }: StartFromDatasetProps & { readonly found: QueryResult }) {
  const result = chosenOf(found, request);
  const filled = fillInputs(result, target.inputs);
  const form = `${formKey(target)} ${JSON.stringify(request)}`;
  return (
    <>
      <div className="mb-3 text-soft wrap-anywhere">
        <p>
          {countText(result.samples.length, "sample")} from the dataset {result.location}; {result.samples_left_out}{" "}
          left out. Weft records the query with the run.
        </p>
        <FillProblems problems={filled.problems} />
      </div>
      <RunForm
        key={form}
        form={form}
        target={{ ...target, dataset: { request, inputs: filled.inputs } }}
        earlier={undefined}
        content={{
          values: filled.inputs,
          samples: namesOfRun({ inputs: filled.inputs, sample_names: filled.samples }),
        }}
        onStarted={onStarted}
      />
    </>
  );
}
