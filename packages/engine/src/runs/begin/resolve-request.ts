import { attempt } from "@weft/cwl/attempt.ts";
import type { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs, inspectInputs, type BindOptions } from "@weft/cwl/files/bind-inputs.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import { shownPointer, type InputProblem } from "@weft/cwl/values/input-problem.ts";
import { MAX_PROBLEMS } from "@weft/cwl/values/problem-list.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { secretInputs } from "@weft/cwl/model/secret-inputs.ts";
import { knownExcess } from "@weft/cwl/workflow/known-excess.ts";
import type { Limits } from "@weft/shared/limits.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { reportedErrors } from "@weft/shared/records/reported-errors.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { escapeSegment, jsonPointer } from "@weft/shared/json-pointer.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { RunnableEntry } from "../../catalog/catalog-entry.ts";
import type { Caller } from "../../port/caller.ts";
import type { FindSamples } from "../../port/engine.ts";
import { checkDestinations } from "../../sink/check-destinations.ts";
import type { Sinks } from "../../sink/check-sinks.ts";
import type { SampleNames } from "../../sink/derivative/sample-sources.ts";
import type { AllowedRoots } from "../../access/allowed-roots.ts";
import { requireVisibleRun } from "../../access/visible-runs.ts";
import { Lookups, withLookups } from "../../files/lookups.ts";
import { assumeRemote } from "../../files/remote/assume-remote.ts";
import type { HttpPolicy } from "../../files/remote/http-policy.ts";
import { giveWay } from "../../async/give-way.ts";
import { concealInputs } from "../../secrets/conceal-inputs.ts";
import type { RunSecrets } from "../../secrets/run-secrets.ts";
import { refuseUnmetContainers } from "../../jobs/job-container.ts";
import type { Scripts } from "../../jobs/job-services.ts";
import type { KeptText } from "../../values/record-values.ts";
import type { RunContext } from "../drive/run-context.ts";
import type { RunServices } from "../drive/run-services.ts";
import { remoteInputs, type RemoteFile } from "../drive/run-fetch.ts";
import { earlierDataset, keptDataset, withDataset, type DatasetOfNewRun } from "./dataset-inputs.ts";
import { remoteProblem, resolveLocations } from "./resolve-locations.ts";
import { requestedInputs, type RequestedInputs } from "./source-data.ts";

/** A checked request. */
export interface RunnableRequest {
  readonly entry: RunnableEntry;
  /** The input values of the request, with `file:` locations. */
  readonly values: CwlObject;
  /** Form of the inputs for the log; absent: the values. */
  readonly inputs?: KeptText;
  /** Binds the inputs again once all files are available. */
  readonly bind: (files: FileAccess) => Promise<CwlObject>;
  readonly samples: SampleNames;
  readonly sinks: Sinks;
  /** The secrets that the placeholders in the values replace. */
  readonly secrets: RunSecrets;
  /** The query that returned the samples. */
  readonly dataset?: DatasetOfNewRun | undefined;
  /** Warnings about tools that cannot run in the containers that they name. */
  readonly warnings?: readonly string[];
  readonly more?: Pick<RunContext, "original" | "overrides" | "outputsFolder">;
}

export interface ResolvedRequest extends RunnableRequest {
  /** The inputs with defaults and file properties; remote files are described as far as possible before the download. */
  readonly bound: CwlObject;
}

export interface RequestContext extends RunServices {
  readonly findSamples: FindSamples;
  readonly catalog: Catalog;
  readonly roots: AllowedRoots;
}

/** Checks a whole request before anything starts. Throws one Refusal that lists every wrong field with its pointer. */
export async function resolveRequest(
  caller: Caller,
  body: CreateRun,
  context: RequestContext,
): Promise<ResolvedRequest> {
  return resolveBody(caller, { entry: findProcess(body, context.catalog), body }, context);
}

/** Checks a request for a document that is already known. */
export async function resolveBody(
  caller: Caller,
  { entry, body }: { readonly entry: RunnableEntry; readonly body: Omit<CreateRun, "network" | "tool" | "version"> },
  context: RequestContext,
): Promise<ResolvedRequest> {
  const filled = await withDataset(caller, { body, process: entry.process }, context.findSamples);
  const { samples: named, sink_data: sinks } = filled.body;
  const requested = requestedInputs(filled.body, entry.process);
  const resolved = await resolveInputs(caller, { entry, requested, named, sinks }, context);
  const { run_id: earlier } = body.dataset ?? {};
  if (earlier === undefined) return { ...resolved, dataset: filled.dataset };
  const { read } = context.journal;
  const dataset = earlierDataset(requireVisibleRun(read, earlier, caller), read);
  return { ...resolved, dataset: keptDataset(dataset, resolved.samples) };
}

/** A request whose inputs are still unchecked. */
export interface Requested {
  readonly entry: RunnableEntry;
  readonly requested: RequestedInputs;
  /** Sample names, which must fit the inputs. */
  readonly named?: SampleNames | undefined;
  readonly sinks?: Sinks | undefined;
}

/** Turns the inputs of a request into values that the document can start with. Throws one Refusal for all problems. */
export async function resolveInputs(
  caller: Caller,
  { entry, requested, named = {}, sinks = {} }: Requested,
  context: RequestContext,
): Promise<ResolvedRequest> {
  const { process } = entry;
  refuseExcess(entry, requested.inputs, context.limits);
  const { reach, files } = context.access.ofCaller(caller);
  using lookups = new Lookups({ reach });
  const { policy } = context.downloads.settings;
  const located = await resolveLocations(requested.inputs, { ...context, policy, reach, lookups }, caller.links);
  if (located.problems.length >= MAX_PROBLEMS) throw invalidInputs(entry, located.problems, context.limits);
  await giveWay();
  const { values, secrets, unknown } = concealInputs(located.values, secretInputs(process));
  const binding = bindingOf(entry, values, context);
  const remote = remoteInputs(values, process);
  await giveWay();
  const allowed = withoutRefused(binding, located.problems);
  const inspected = await attempt(() =>
    inspectInputs({ ...allowed, files: assumeRemote(withLookups(files, lookups)) }),
  );
  if ("failure" in inspected)
    throw invalidInputs(entry, [...located.problems, unreadable(inspected.failure)], context.limits);
  const { inputs: bound, problems } = inspected.value;
  await giveWay();
  const { samples } = requested;
  const certain = problems.filter(({ code }) => isCertain(code, remote, located.problems));
  const errors = [
    ...located.problems,
    ...unknown.map(forgottenSecret),
    ...refusedDefaults(remote, located.problems, policy),
    ...inputErrors(certain, located.problems),
    ...checkSamples(named, process, values),
    ...(await checkDestinations(sinks, { process, values, samples }, context)),
  ];
  if (errors.length > 0) throw invalidInputs(entry, errors, context.limits);
  const warnings = await refuseUnmetContainers(process, context);
  const bind = async (files: FileAccess) => (remote.length === 0 ? bound : bindInputs({ ...binding, files }));
  return { entry, values, bound, bind, samples, sinks, secrets, warnings };
}

/** Refuses a request that is too large before doing anything else for it. */
function refuseExcess(entry: RunnableEntry, inputs: RequestedInputs["inputs"], limits: Limits): void {
  // This checks only the lengths of lists; later checks find the rest.
  const excess = knownExcess(entry.process, inputs as CwlObject, limits);
  if (excess === undefined) return;
  const { message: detail, hint = "" } = excess.failure;
  const pointer = `/inputs/${escapeSegment(excess.input)}`;
  throw invalidInputs(entry, [{ pointer, code: "limit-exceeded", detail, hint }], limits);
}

/** The options for binding inputs, except for the files. */
export function bindingOf({ process, formats }: RunnableEntry, values: CwlObject, { script, limits }: Scripts) {
  const requirements = effectiveRequirements([process]);
  const evaluator = createEvaluator({ script, requirements, cwlVersion: process.cwlVersion, limits });
  return { process, values, evaluator, requirements, ...formats, giveWay: giveWay };
}

/** Omits inputs with a refused location, so that none of their files is opened. */
function withoutRefused<Binding extends Pick<BindOptions, "process" | "values">>(
  binding: Binding,
  refused: readonly ProblemError[],
): Binding {
  if (refused.length === 0) return binding;
  const names = new Set(refused.map(({ pointer }) => pointer?.split("/", 3)[2]));
  const isAllowed = (id: string) => !names.has(escapeSegment(id));
  const { process, values } = binding;
  return {
    ...binding,
    process: { ...process, inputs: process.inputs.filter(({ id }) => isAllowed(id)) },
    values: Object.fromEntries(Object.entries(values).filter(([id]) => isAllowed(id))),
  };
}

/** A default, or a link in a folder, leads outside the caller's reach. */
function unreadable({ message, hint }: CwlFailure): ProblemError {
  return { pointer: "/inputs", code: "file-not-allowed", detail: message, ...(hint === undefined ? {} : { hint }) };
}

function forgottenSecret(id: string): ProblemError {
  return {
    pointer: `/inputs/${escapeSegment(id)}`,
    code: "secret-forgotten",
    detail: "this is the placeholder of another run's secret, which is not stored",
    hint: "enter the secret again",
  };
}

/**
 * Binding problems for a response, without those at, around or inside a location that was already refused. Takes time
 * in proportion to the number of problems.
 */
export function inputErrors(problems: readonly InputProblem[], located: readonly ProblemError[]): ProblemError[] {
  const refused = new Set(located.flatMap(({ pointer }) => pointer ?? []));
  const around = new Set([...refused].flatMap(ancestors));
  const isKnown = (pointer: string) => around.has(pointer) || ancestors(pointer).some((place) => refused.has(place));
  return problems.flatMap(({ pointer: inner, code, message, hint }) => {
    const pointer = `/inputs${inner}`;
    if (isKnown(pointer)) return [];
    return [{ pointer, code, detail: message, ...(hint === undefined ? {} : { hint }) }];
  });
}

/** The pointer itself and all its prefixes. */
function ancestors(pointer: string): string[] {
  const found: string[] = [];
  for (let place = pointer; place !== ""; place = place.slice(0, Math.max(0, place.lastIndexOf("/"))))
    found.push(place);
  return found;
}

/** An expression may have failed only because a file was refused or is not fetched yet. */
function isCertain(code: string, remote: readonly RemoteFile[], refused: readonly ProblemError[]): boolean {
  return (remote.length === 0 && refused.length === 0) || code !== "expression";
}

/** Hosts in defaults of the document; those in the request were checked with their pointers. */
function refusedDefaults(
  remote: readonly RemoteFile[],
  located: readonly ProblemError[],
  policy: HttpPolicy,
): ProblemError[] {
  if (located.length > 0) return [];
  return remote.flatMap(({ location }) => remoteProblem(location, "/inputs", policy) ?? []);
}

function findProcess(body: CreateRun, catalog: Catalog): ResolvedRequest["entry"] {
  if (body.network !== undefined && body.tool === undefined)
    return catalog.findRunnable("network", body.network, body.version);
  if (body.tool !== undefined && body.network === undefined)
    return catalog.findRunnable("tool", body.tool, body.version);
  const detail =
    body.network === undefined
      ? "Name the `network` or the `tool` to run."
      : "Name either a `network` or a `tool`, not both.";
  throw new Refusal("invalid-body", detail, { errors: [{ pointer: "/network", code: "one-of", detail }] });
}

function invalidInputs(entry: RunnableEntry, errors: readonly ProblemError[], limits: Limits): Refusal {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return new Refusal(
    "invalid-inputs",
    `The request does not fit ${entry.place.id}: ${shownPointer(first?.pointer ?? "")}: ${first?.detail ?? ""}${more}`,
    { errors: reportedErrors(errors, limits.reportedProblems, { isComplete: errors.length < MAX_PROBLEMS }) },
  );
}

/** Sample names that do not fit the inputs, each with its pointer. */
function checkSamples(samples: SampleNames, process: Pick<Process, "inputs">, values: CwlObject): ProblemError[] {
  return Object.entries(samples).flatMap(([id, names]) => {
    const fault = process.inputs.some((input) => input.id === id)
      ? faultOf(names, values[id])
      : { code: "unknown-input", detail: `there is no input "${id}"` };
    return fault === undefined ? [] : [{ pointer: jsonPointer(["samples", id]), ...fault }];
  });
}

function faultOf(names: readonly string[], value: unknown): Pick<ProblemError, "code" | "detail" | "hint"> | undefined {
  if (!Array.isArray(value))
    return { code: "no-list", detail: "sample names need a list, and the value of this input is not one" };
  if (value.length !== names.length)
    return { code: "wrong-number", detail: `${names.length} names for ${value.length} elements` };
  const known = new Set<string>();
  const twice = names.find((name) => known.size === known.add(name).size);
  return twice === undefined ? undefined : { code: "ambiguous", detail: `duplicate sample name "${twice}"` };
}
