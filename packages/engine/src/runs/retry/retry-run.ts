import type { RunnableEntry } from "../../catalog/catalog-entry.ts";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { bindInputs } from "@weft/cwl/files/bind-inputs.ts";
import { secretInputs } from "@weft/cwl/model/secret-inputs.ts";
import { elementsAt, selectSamples, type KeptPlaces } from "@weft/cwl/workflow/select-samples.ts";
import type { Limits } from "@weft/shared/limits.ts";
import { reportedErrors } from "@weft/shared/records/reported-errors.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { NEWEST, type RetryRun, type RunOptions } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { recordedValues, restoreValues } from "../../values/record-values.ts";
import type { Caller } from "../../port/caller.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { RunRow } from "../../journal/rows.ts";
import { earlierDataset, keptDataset } from "../begin/dataset-inputs.ts";
import { loadOfRun, loadRecordedDocument, type RecordedDocument } from "../../catalog/recorded-document.ts";
import {
  bindingOf,
  resolveInputs,
  type RequestContext,
  type ResolvedRequest,
  type RunnableRequest,
} from "../begin/resolve-request.ts";
import { originalRun } from "../drive/run-context.ts";
import { refuseUnmetContainers } from "../../jobs/job-container.ts";
import { NO_SECRETS } from "../../secrets/run-secrets.ts";
import type { RunLog } from "../../journal/run-log.ts";
import { requestedInputs, type RequestedInputs } from "../begin/source-data.ts";

/** Refuses to retry an open run, and an imported one: its tools and data folders belong to another server. */
export function refuseOpen({ state, imported }: RunRow): void {
  refuseForeign(imported);
  if (imported !== null)
    throw new Refusal(
      "conflict",
      "The run was imported, so it cannot be retried here. Reproduce it to run it again as recorded.",
    );
  if (isFinal(state)) return;
  throw new Refusal("conflict", "The run has not finished: wait for it, or abort it, then retry it.");
}

/** Refuses to rerun a run of another engine: its crate describes the workflow, but Weft cannot run it. */
function refuseForeign(imported: RunRow["imported"]): void {
  if (imported?.foreign === undefined) return;
  const { engine, language } = imported.foreign;
  throw new Refusal(
    "conflict",
    `The run cannot be run again here, because another engine made it${engine === null ? "" : ` (${engine})`}. Run its ${language ?? ""} workflow from the crate instead.`.replace(
      "  ",
      " ",
    ),
  );
}

/** The options of a run, with those of the retry in their place. A requested cache refresh is not repeated. */
export function retryOptions({ options }: RunRow, { options: asked }: RetryRun): RunOptions {
  const { cache, ...kept } = options;
  return { ...kept, ...(cache === undefined || cache === "refresh" ? {} : { cache }), ...asked };
}

/** The request of a run with the changes of the retry, checked like any other request. */
export async function resolveRetry(
  caller: Caller,
  { row, body }: { readonly row: RunRow; readonly body: RetryRun },
  context: RequestContext,
): Promise<ResolvedRequest> {
  const entry = await findDocument(row, body, context);
  const { inputs, source_data } = body;
  const whole = layOver(row, requestedInputs({ inputs, source_data }, entry.process), context);
  const requested =
    body.samples === undefined
      ? whole
      : onlySamples(entry.process, whole, { row, body, read: context.journal.read, limits: context.limits });
  const resolved = await resolveInputs(caller, { entry, requested, sinks: row.sinks }, context);
  return { ...resolved, dataset: keptDataset(earlierDataset(row, context.journal.read), resolved.samples) };
}

/** The document that the run started with, unless the retry names another version. */
async function findDocument(row: RunRow, { version }: RetryRun, context: RequestContext): Promise<RunnableEntry> {
  const { kind, processId: id } = row;
  const { catalog } = context;
  if (version !== undefined) return catalog.findRunnable(kind, id, version === NEWEST ? undefined : version);
  const begun = await loadOfRun(row, context, catalog);
  if (begun === undefined)
    throw new Refusal("invalid-document", "The document of the run can no longer be read; retry it with a `version`.");
  return recordedEntry(row, begun, context);
}

function recordedEntry(row: RunRow, { process, formats }: RecordedDocument, { journal, uris }: RunLog): RunnableEntry {
  return {
    ...{ process, formats },
    place: { kind: row.kind, id: row.processId, version: row.processVersion },
    uri: uris.toFile(row.documentUri) ?? row.documentUri,
    digest: row.processDigest,
    packed: journal.read.blob(row.document),
  };
}

/** An ended run with its recorded document and inputs, independent of the catalog. */
export async function resolveReproduction(row: RunRow, context: RequestContext): Promise<RunnableRequest> {
  if (row.endedMs === null) throw new Refusal("conflict", "The run has not finished; reproduce it when it has.");
  refuseForeign(row.imported);
  const { uris } = context;
  const { read } = context.journal;
  const entry = recordedEntry(row, await loadRecordedDocument(row, { read, uris }), context);
  if (secretInputs(entry.process).size > 0)
    throw new Refusal("conflict", "The run had secret inputs, which are not stored: start it again with them.");
  const warnings = await refuseUnmetContainers(entry.process, context);
  const values = restoreValues(read.blob(row.inputs), uris);
  return {
    ...{ entry, values, warnings },
    inputs: { digest: row.inputs },
    bind: (files) => bindInputs({ ...bindingOf(entry, values, context), files }),
    samples: row.samples,
    // Copies of the original outputs stay unchanged.
    sinks: {},
    secrets: NO_SECRETS,
    dataset: keptDataset(earlierDataset(row, read), row.samples),
    more: { original: originalRun(row.runId, read) },
  };
}

function layOver(row: RunRow, { inputs, samples }: RequestedInputs, { journal }: RunLog): RequestedInputs {
  const before = recordedValues(journal.read.blob(row.inputs));
  const laid = Object.entries({ ...before, ...inputs }).filter(([, value]) => value !== null);
  // Names belong to the values that they came with.
  const named = Object.entries(row.samples).filter(([input]) => !Object.hasOwn(inputs, input));
  return { inputs: Object.fromEntries(laid), samples: { ...Object.fromEntries(named), ...samples } };
}

interface Narrowing {
  readonly row: RunRow;
  readonly body: RetryRun;
  readonly read: LogReader;
  readonly limits: Limits;
}

/** Keeps only the list elements that led to jobs of these samples. */
function onlySamples(
  process: Process,
  whole: RequestedInputs,
  { row, body, read, limits }: Narrowing,
): RequestedInputs {
  const { samples: wanted = [], inputs: plain = {}, source_data: replaced = plain } = body;
  const jobs = read.jobsOfSamples(row.runId, wanted);
  const found = new Set(jobs.map(({ sampleId }) => sampleId));
  const missing = wanted.filter((name) => !found.has(name));
  if (missing.length > 0)
    throw unknownSamples({ wanted, missing, known: read.samples(row.runId, SHOWN_NAMES) }, limits);
  const inputs = whole.inputs as CwlObject; // selectSamples only reads it
  const kept: KeptPlaces = process.class === "Workflow" ? selectSamples(process, inputs, jobs) : new Map();
  if (kept.size === 0) throw notNarrowed();
  for (const id of kept.keys()) if (Object.hasOwn(replaced, id)) throw twiceChanged(id);
  const narrowed = [...kept].map(([id, places]) => [id, elementsAt(listOf(process, inputs, id), places)]);
  const names = Object.entries(whole.samples).map(([id, all]) => {
    const places = kept.get(id);
    return [id, places === undefined ? all : elementsAt(all, places)];
  });
  return { inputs: { ...inputs, ...Object.fromEntries(narrowed) }, samples: Object.fromEntries(names) };
}

function listOf({ inputs: parameters }: Process, inputs: CwlObject, id: string): readonly CwlValue[] {
  const value = inputs[id] ?? parameters.find((parameter) => parameter.id === id)?.default;
  return Array.isArray(value) ? value : [];
}

const SHOWN_NAMES = 10;

interface UnknownSamples {
  readonly wanted: readonly string[];
  readonly missing: readonly string[];
  readonly known: readonly string[];
}

function unknownSamples({ wanted, missing, known }: UnknownSamples, limits: Limits): Refusal {
  const hint =
    known.length === 0
      ? "the run has no samples: retry it as a whole, which reuses valid results"
      : `its samples are ${known.join(", ")}${known.length === SHOWN_NAMES ? ", …" : ""}`;
  const places = new Map(wanted.map((name, place) => [name, place]));
  const errors = missing.map((name) => ({
    pointer: `/samples/${places.get(name)}`,
    code: "unknown-sample",
    detail: `no job of the run belongs to a sample "${name}"`,
    hint,
  }));
  return new Refusal("invalid-inputs", `The run cannot be limited to samples: ${errors[0]?.detail}; ${hint}.`, {
    errors: reportedErrors(errors, limits.reportedProblems),
  });
}

function notNarrowed(): Refusal {
  const detail = "the network computes its list of samples instead of taking it from an input";
  return new Refusal("invalid-inputs", `The run cannot be limited to samples: ${detail}.`, {
    errors: [{ pointer: "/samples", code: "not-a-list", detail, hint: "retry the whole run: it reuses valid results" }],
  });
}

function twiceChanged(id: string): Refusal {
  const detail = `the samples select elements of the original "${id}", but \`inputs\` replaces it`;
  return new Refusal("invalid-body", `Use either \`samples\` or a new "${id}", not both.`, {
    errors: [{ pointer: `/inputs/${id}`, code: "ambiguous", detail }],
  });
}
