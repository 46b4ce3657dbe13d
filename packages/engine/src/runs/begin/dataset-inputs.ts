import { fillInputs } from "@weft/shared/dataset/fill-inputs.ts";
import type { EventData } from "@weft/shared/events/event.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { presentType } from "../../catalog/present-type.ts";
import type { Caller, EngineDatasets } from "../../port/engine.ts";
import { keptText } from "./kept-text.ts";
import type { KeptText } from "./kept-text.ts";

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
  datasets: Pick<EngineDatasets, "ofRequest">,
): Promise<{ readonly body: Given; readonly dataset?: DatasetOfNewRun }> {
  if (body.dataset === undefined) return { body };
  if (body.source_data !== undefined)
    throw refused("invalid-body", "`dataset` takes `inputs`, not `source_data`", "/source_data");
  const { query, saved, result } = await datasets.ofRequest(caller, body.dataset);
  const given = new Set(Object.keys(body.inputs ?? {}));
  const ports = process.inputs.map(({ id, type }) => ({ id, type: presentType(type) }));
  const { inputs, samples, problems } = fillInputs(result, ports);
  const open = problems.filter(({ column }) => !given.has(column));
  if (result.samples.length === 0) throw refused("invalid-inputs", "The query returns no samples", "/dataset");
  if (open.length > 0) throw unfilled(open);
  const unnamed = Object.entries(samples).filter(([id]) => !given.has(id));
  return {
    body: {
      ...body,
      inputs: { ...inputs, ...body.inputs },
      samples: { ...Object.fromEntries(unnamed.map(([id, names]) => [id, [...names]])), ...body.samples },
    },
    dataset: {
      query,
      ...(saved === undefined ? {} : { query_id: saved.query_id, name: saved.name }),
      result: keptText(JSON.stringify(result)),
    },
  };
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
