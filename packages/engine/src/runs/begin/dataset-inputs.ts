import { NOT_CHOSEN, narrowResult } from "@weft/shared/dataset/narrow-result.ts";
import { fillInputs } from "@weft/shared/dataset/fill-inputs.ts";
import type { EventData } from "@weft/shared/events/event.ts";
import type { QueryResult } from "@weft/shared/records/dataset-record.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { presentType } from "../../catalog/present-type.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { RunRow } from "../../journal/rows.ts";
import type { Caller } from "../../port/caller.ts";
import type { AskedQuery, FindSamples } from "../../port/engine.ts";
import { timeText } from "../../present/present-time.ts";
import { keptText, type KeptText } from "../../values/record-values.ts";

type Body = Pick<CreateRun, "inputs" | "samples" | "source_data" | "dataset">;

/** The query that gave a run its samples, with the text of its result. */
export type DatasetOfNewRun = Omit<NonNullable<EventData<"run.created">["dataset"]>, "result"> & {
  readonly result: KeptText;
};

/**
 * Fills the inputs that a request leaves to a query of a dataset. Inputs in the request win, so that a user may correct a
 * value of the sample sheet.
 */
export async function withDataset<Given extends Body>(
  caller: Caller,
  { body, process }: { readonly body: Given; readonly process: Process },
  findSamples: FindSamples,
): Promise<{ readonly body: Given; readonly dataset?: DatasetOfNewRun }> {
  if (body.dataset === undefined) return { body };
  if (body.source_data !== undefined)
    throw refused("invalid-body", "`dataset` takes `inputs`, not `source_data`", "/source_data");
  const { run_id: earlier, samples: chosen, ...request } = body.dataset;
  if (earlier !== undefined) return { body };
  const asked = await findSamples(caller, request);
  const result = chosen === undefined ? asked.result : chosenSamples(asked.result, chosen);
  const presentInputs = new Set(Object.keys(body.inputs ?? {}));
  const ports = process.inputs.map(({ id, type }) => ({ id, type: presentType(type) }));
  const { inputs, samples, problems } = fillInputs(result, ports);
  const open = problems.filter(({ column }) => !presentInputs.has(column));
  if (result.samples.length === 0) throw refused("invalid-inputs", "The query returns no samples", "/dataset");
  if (open.length > 0) throw unfilled(open);
  const unnamed = Object.entries(samples).filter(([id]) => !presentInputs.has(id));
  return {
    body: {
      ...body,
      inputs: { ...inputs, ...body.inputs },
      samples: { ...Object.fromEntries(unnamed.map(([id, names]) => [id, [...names]])), ...body.samples },
    },
    dataset: recordOf({ ...asked, result }),
  };
}

/** The log's record of a query. */
export function recordOf({ query, saved, result }: AskedQuery): DatasetOfNewRun {
  return {
    query,
    ...(saved === undefined ? {} : { query_id: saved.query_id, name: saved.name }),
    result: keptText(JSON.stringify(result)),
  };
}

function chosenSamples(result: QueryResult, chosen: readonly string[]): QueryResult {
  const found = new Set(result.samples.map(({ name }) => name));
  const missing = chosen.findIndex((name) => !found.has(name));
  if (missing >= 0)
    throw refused("invalid-inputs", `The query does not find "${chosen[missing]}"`, `/dataset/samples/${missing}`);
  const wanted = new Set(chosen);
  return narrowResult(result, ({ name }) => (wanted.has(name) ? undefined : NOT_CHOSEN));
}

function unfilled(problems: readonly { readonly detail: string }[]): Refusal {
  const errors = problems.map(({ detail }): ProblemError => ({ pointer: "/dataset", code: "column", detail }));
  return new Refusal("invalid-inputs", `The columns of the query do not fit: ${problems[0]?.detail ?? ""}.`, {
    errors,
  });
}

function refused(code: "invalid-body" | "invalid-inputs", detail: string, pointer: string): Refusal {
  return new Refusal(code, `${detail}.`, { errors: [{ pointer, code: "dataset", detail }] });
}

/** The recorded query of a run, and the samples of that run. */
interface EarlierDataset {
  readonly dataset: NonNullable<EventData<"run.created">["dataset"]>;
  readonly samples: ReadonlySet<string>;
}

/** The query that gave an earlier run its samples; undefined if no query did. */
export function earlierDataset(
  { runId, samples, createdMs }: Pick<RunRow, "runId" | "samples" | "createdMs">,
  read: Pick<LogReader, "creation" | "blobBytes">,
): EarlierDataset | undefined {
  const { dataset } = read.creation(runId);
  // An imported run has the event of another server, without the result.
  if (dataset === undefined || read.blobBytes(dataset.result) === 0) return undefined;
  return {
    dataset: { asked_at: timeText(createdMs), ...dataset },
    samples: new Set(Object.values(samples).flat()),
  };
}

/** The record of that query for a new run that has some of the samples; undefined for any other run. */
export function keptDataset(
  earlier: EarlierDataset | undefined,
  samples: RunRow["samples"],
): DatasetOfNewRun | undefined {
  const hasSome = Object.values(samples).some((names) => names.some((name) => earlier?.samples.has(name)));
  if (earlier === undefined || !hasSome) return undefined;
  return { ...earlier.dataset, result: { digest: earlier.dataset.result } };
}
