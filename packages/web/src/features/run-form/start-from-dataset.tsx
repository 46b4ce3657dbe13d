import { useQuery } from "@tanstack/react-query";
import { fillInputs } from "@weft/shared/dataset/fill-inputs.ts";
import { NOT_CHOSEN, narrowResult } from "@weft/shared/dataset/narrow-result.ts";
import type { DatasetOfNewRun, QueryResult } from "@weft/shared/records/dataset-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo } from "react";
import { requestedSamplesQuery } from "../../api/dataset-queries.ts";
import { countText } from "../../format/count-text.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { RunForm } from "./run-form.tsx";
import { formKey, type FormContent, type RunTarget } from "./run-target.ts";

export interface StartFromDatasetProps {
  readonly target: RunTarget;
  readonly request: DatasetOfNewRun;
  readonly onStarted: (run: Run) => void;
}

/** The form of a network, filled with the samples of a query. */
export function StartFromDataset(props: StartFromDatasetProps) {
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
  const result = useMemo(() => chosenOf(found, request), [found, request]);
  const filled = useMemo(() => fillInputs(result, target.inputs), [result, target.inputs]);
  const withDataset = useMemo(
    () => ({ ...target, dataset: { request, inputs: filled.inputs } }),
    [target, request, filled],
  );
  const form = `${formKey(target)} ${JSON.stringify(request)}`;
  return (
    <>
      <div className="mb-3 text-soft wrap-anywhere">
        <p>
          {countText(result.samples.length, "sample")} from the dataset {result.location}; {result.samples_left_out}{" "}
          left out. Weft records the query with the run.
        </p>
        {filled.problems.length > 0 && (
          <ul className="mt-1 list-disc pl-5 text-failed">
            {filled.problems.map(({ column, detail }) => (
              <li key={column}>{detail}</li>
            ))}
          </ul>
        )}
      </div>
      <RunForm
        key={form}
        form={form}
        target={withDataset}
        earlier={undefined}
        content={contentOf(filled)}
        onStarted={onStarted}
      />
    </>
  );
}

function contentOf({ inputs, samples }: ReturnType<typeof fillInputs>): FormContent {
  const [names] = Object.values(samples);
  const lists = Object.keys(samples).flatMap((id) => {
    const list: unknown = inputs[id];
    return Array.isArray(list) ? [[id, list as readonly unknown[]] as const] : [];
  });
  return { values: inputs, samples: names && { names, lists: Object.fromEntries(lists) } };
}
