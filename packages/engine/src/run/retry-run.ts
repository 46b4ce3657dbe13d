import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { selectSamples } from "@weft/cwl/workflow/select-samples.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { NEWEST } from "@weft/shared/records/run-record.ts";
import type { RetryRun, RunOptions } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Caller } from "../engine.ts";
import type { RunRow } from "../journal/rows.ts";
import { loadBegun } from "./load-begun.ts";
import { resolveInputs } from "./resolve-request.ts";
import type { RequestContext, ResolvedRequest, RunnableEntry } from "./resolve-request.ts";
import type { RunServices } from "./run-services.ts";
import { requestedInputs } from "./source-data.ts";
import type { RequestedInputs } from "./source-data.ts";

export interface RetryContext {
  readonly services: RunServices;
  readonly request: RequestContext;
}

/** Refuses to retry what has not ended. */
export function refuseOpen({ state }: RunRow): void {
  if (isFinal(state)) return;
  throw new Refusal("conflict", "The run is still going on: wait until it has ended, or abort it, then retry it.");
}

/** The options of a run with others laid over them. What was asked to be made anew once is not made anew again. */
export function retryOptions({ options }: RunRow, { options: asked }: RetryRun): RunOptions {
  const { cache, ...kept } = options;
  return { ...kept, ...(cache === undefined || cache === "refresh" ? {} : { cache }), ...asked };
}

/** What a run is once more, with the changes that are asked for, checked as a whole like any request. */
export async function resolveRetry(
  caller: Caller,
  { row, body }: { readonly row: RunRow; readonly body: RetryRun },
  { services, request }: RetryContext,
): Promise<ResolvedRequest> {
  const entry = await findDocument(row, body, { services, request });
  const { inputs, source_data } = body;
  const whole = layOver(row, requestedInputs({ inputs, source_data }, entry.process), services);
  const requested = body.samples === undefined ? whole : onlySamples(entry.process, whole, body.samples);
  return resolveInputs(caller, { entry, requested, sinks: row.sinks }, request);
}

/** The document that the run was started with, unless another is asked for by its version. */
async function findDocument(row: RunRow, { version }: RetryRun, context: RetryContext): Promise<RunnableEntry> {
  const { kind, processId: id } = row;
  const { catalog } = context.request;
  if (version !== undefined) return catalog.findRunnable(kind, id, version === NEWEST ? undefined : version);
  const { services } = context;
  return {
    place: { kind, id, version: row.processVersion },
    uri: services.uris.toFile(row.documentUri) ?? row.documentUri,
    digest: row.processDigest,
    packed: services.journal.read.blob(row.document),
    ...(await loadBegun(row, services, catalog)),
  };
}

function layOver(row: RunRow, { inputs, samples }: RequestedInputs, { journal }: RunServices): RequestedInputs {
  const before = JSON.parse(journal.read.blob(row.inputs)) as CwlObject; // written by recordValues
  const laid = Object.entries({ ...before, ...inputs }).filter(([, value]) => value !== null);
  // Names belong to the values that they came with.
  const named = Object.entries(row.samples).filter(([input]) => !Object.hasOwn(inputs, input));
  return { inputs: Object.fromEntries(laid), samples: { ...Object.fromEntries(named), ...samples } };
}

function onlySamples(process: Process, whole: RequestedInputs, wanted: readonly string[]): RequestedInputs {
  if (process.class !== "Workflow") throw unknownSamples(wanted, [], "a run of a single tool has no samples");
  const inputs = whole.inputs as CwlObject; // of a form that selectSamples only looks into
  const names = new Map(Object.entries(whole.samples));
  const selected = selectSamples(process, { inputs, names }, new Set(wanted));
  const missing = wanted.filter((name) => !selected.known.includes(name));
  if (missing.length > 0) throw unknownSamples(wanted, selected.known, undefined);
  return { inputs: { ...inputs, ...selected.inputs }, samples: Object.fromEntries(selected.names) };
}

const SHOWN_NAMES = 10;

function unknownSamples(wanted: readonly string[], known: readonly string[], why: string | undefined): Refusal {
  const more = known.length > SHOWN_NAMES ? `, and ${known.length - SHOWN_NAMES} more` : "";
  const hint =
    known.length === 0
      ? (why ?? "this network scatters over none of its own inputs: retry the whole run, which reuses what is valid")
      : `the samples are ${known.slice(0, SHOWN_NAMES).join(", ")}${more}`;
  const errors = wanted.flatMap((name, index) =>
    known.includes(name)
      ? []
      : [{ pointer: `/samples/${index}`, code: "unknown-sample", detail: `there is no sample "${name}"`, hint }],
  );
  const [first] = errors;
  return new Refusal("invalid-inputs", `The run cannot be narrowed to these samples: ${first?.detail}; ${hint}.`, {
    errors,
  });
}
