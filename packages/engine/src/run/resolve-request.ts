import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import type { ScriptEngine } from "@weft/cwl/expression/script-engine.ts";
import { bindInputs, inspectInputs } from "@weft/cwl/files/bind-inputs.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { InputProblem } from "@weft/cwl/files/input-problem.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import type { Caller } from "../engine.ts";
import type { AllowedRoots } from "../files/allowed-roots.ts";
import { assumeRemote } from "../files/remote/assume-remote.ts";
import type { HttpPolicy } from "../files/remote/http-policy.ts";
import { remoteInputs } from "./remote-inputs.ts";
import type { RemoteFile } from "./remote-inputs.ts";
import { remoteProblem, resolveLocations } from "./resolve-locations.ts";
import { requestedInputs } from "./source-data.ts";
import { visibleFiles } from "./visible-files.ts";

export interface ResolvedRequest {
  readonly entry: CatalogEntry & { readonly process: Process; readonly packed: string };
  /** As given, with `file:` locations: what the run starts from. */
  readonly values: CwlObject;
  /** With defaults applied and files described; of files from elsewhere only what can be known before they are here. */
  readonly bound: CwlObject;
  /** The same, when they are. */
  readonly bind: (files: FileAccess) => Promise<CwlObject>;
  readonly samples: Readonly<Record<string, readonly string[]>>;
}

export interface RequestContext {
  readonly catalog: Catalog;
  readonly roots: AllowedRoots;
  readonly files: FileAccess;
  readonly script: ScriptEngine;
  /** Which hosts may be asked for files. */
  readonly policy: HttpPolicy;
  /** Whose run this is. Absent: nobody's, so that from whom runs are hidden, all are. */
  readonly ownerOf?: (runId: string) => string | undefined;
}

/** Checks a request as a whole before anything starts: every wrong field is told at once, with its place. */
export async function resolveRequest(
  caller: Caller,
  body: CreateRun,
  context: RequestContext,
): Promise<ResolvedRequest> {
  const entry = findProcess(body, context.catalog);
  const { process } = entry;
  const requested = requestedInputs(body, process);
  const located = await resolveLocations(
    requested.inputs,
    { ...context, isVisible: visibleFiles(caller, context) },
    caller.links,
  );
  const { values } = located;
  const requirements = effectiveRequirements([process]);
  const evaluator = createEvaluator({ script: context.script, requirements, cwlVersion: process.cwlVersion });
  const binding = { process, values, evaluator, requirements, ...entry.formats };
  const remote = remoteInputs(values, process);
  const { inputs: bound, problems } = await inspectInputs({ ...binding, files: assumeRemote(context.files) });
  const errors = [
    ...located.problems,
    ...refusedDefaults(remote, located.problems, context.policy),
    ...problems.filter(({ code }) => isCertain(code, remote)).flatMap((it) => toProblemErrors(it, located.problems)),
  ];
  if (errors.length > 0) throw invalidInputs(entry, errors);
  const bind = async (files: FileAccess) => (remote.length === 0 ? bound : bindInputs({ ...binding, files }));
  return { entry, values, bound, bind, samples: requested.samples };
}

/** An expression may have failed only because it saw a file that is not here yet. */
function isCertain(code: string, remote: readonly RemoteFile[]): boolean {
  return remote.length === 0 || code !== "expression";
}

/** Defaults of the document name hosts too; those of the request have been judged with their place. */
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

/** A file that was refused already is not told a second time as missing. An unknown input is most likely misspelt. */
function toProblemErrors(problem: InputProblem, located: readonly ProblemError[]): ProblemError[] {
  const pointer = `/inputs${problem.pointer}`;
  const known = located.some(
    (other) => other.pointer?.startsWith(pointer) === true || pointer.startsWith(other.pointer ?? "\0"),
  );
  if (known) return [];
  return [
    {
      pointer,
      code: problem.code,
      detail: problem.message,
      ...(problem.hint === undefined ? {} : { hint: problem.hint }),
    },
  ];
}

function invalidInputs(entry: CatalogEntry, errors: readonly ProblemError[]): Refusal {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return new Refusal(
    "invalid-inputs",
    `The inputs do not fit ${entry.place.id}: ${first?.pointer ?? ""}: ${first?.detail ?? ""}${more}`,
    { errors },
  );
}
