import { decoded } from "@weft/shared/text/decode-escapes.ts";
import { escapeSegment } from "@weft/shared/json-pointer.ts";
import { resolveInputObject } from "@weft/cwl/document/resolve-input-object.ts";
import { MAX_PROBLEMS } from "@weft/cwl/values/problem-list.ts";
import type { CwlObject, CwlValue, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { Links } from "@weft/shared/links.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import type { AllowedRoots, RootedPath } from "../../access/allowed-roots.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import type { Lookups } from "../../files/lookups.ts";
import { isFileOrDirectory, isScalar } from "../../values/map-files.ts";
import { bytesOfDataUrl, WRONG_DATA } from "../../files/remote/data-url.ts";
import { fetchFailure } from "../../files/remote/download-store.ts";
import type { HttpPolicy, HttpRefusal } from "../../files/remote/http-policy.ts";
import { giveWay } from "../../async/give-way.ts";
import { isHttp, isRemote } from "../../files/remote/remote-url.ts";

export interface ResolvedValues {
  readonly values: CwlObject;
  readonly problems: readonly ProblemError[];
}

export interface LocationRules {
  readonly roots: AllowedRoots;
  readonly limits: Limits;
  /** The policy for hosts that may be contacted. */
  readonly policy: HttpPolicy;
  /** Files that the caller may read. */
  readonly reach: Pick<Reach, "isMixed">;
  readonly lookups: Lookups;
}

/**
 * Turns the locations of an untrusted input object into `file:` URLs of existing files below an allowed folder; leaves
 * http(s) and data URLs as they are. Reports every problem with a pointer; opens and fetches nothing.
 */
export async function resolveLocations(inputs: unknown, rules: LocationRules, links: Links): Promise<ResolvedValues> {
  const base = { baseUri: `weft-data://${RELATIVE}`, limits: rules.limits, giveWay };
  const { values, problems: malformed } = await resolveInputObject(inputs, base);
  const problems: ProblemError[] = malformed.map(({ pointer, message, hint }) => ({
    pointer: `/inputs${pointer}`,
    code: "invalid-value",
    detail: message,
    ...(hint === undefined ? {} : { hint }),
  }));
  const context = { ...rules, runFiles: `${links.base}/api/runs/`, problems };
  const resolved: [string, CwlValue][] = [];
  for (const [name, value] of Object.entries(values)) {
    if (problems.length >= MAX_PROBLEMS) break;
    resolved.push([name, await resolveValue(value, `/inputs/${escapeSegment(name)}`, context)]);
  }
  return { values: Object.fromEntries(resolved), problems };
}

/** Beginning of relative locations: a request has no folder, so they lead to the root. Their problems show what was written. */
const RELATIVE = "//";

interface Context extends LocationRules {
  readonly runFiles: string;
  readonly problems: ProblemError[];
}

async function resolveValue(value: CwlValue, pointer: string, context: Context): Promise<CwlValue> {
  if (isScalar(value)) return value;
  const due = giveWay();
  if (due !== undefined) await due;
  if (isFileOrDirectory(value)) return resolveFile(value, pointer, context);
  if (Array.isArray(value)) {
    const items: CwlValue[] = [];
    for (const [index, item] of (value as readonly CwlValue[]).entries())
      items.push(isScalar(item) ? item : await resolveValue(item, `${pointer}/${index}`, context));
    return items;
  }
  const fields: [string, CwlValue][] = [];
  for (const [name, field] of Object.entries(value))
    fields.push([
      name,
      isScalar(field) ? field : await resolveValue(field, `${pointer}/${escapeSegment(name)}`, context),
    ]);
  return Object.fromEntries(fields);
}

async function resolveFile(value: FileOrDirectory, pointer: string, context: Context): Promise<FileOrDirectory> {
  const located =
    value.location === undefined
      ? value
      : { ...value, location: await resolveLocation(value.location, pointer, context) };
  if (located.class === "File") {
    const { secondaryFiles } = located;
    if (secondaryFiles === undefined) return located;
    return { ...located, secondaryFiles: await resolveAll(secondaryFiles, `${pointer}/secondaryFiles`, context) };
  }
  return located.listing === undefined
    ? located
    : { ...located, listing: await resolveAll(located.listing, `${pointer}/listing`, context) };
}

async function resolveAll(
  values: readonly FileOrDirectory[],
  pointer: string,
  context: Context,
): Promise<FileOrDirectory[]> {
  const resolved: FileOrDirectory[] = [];
  for (const [index, value] of values.entries())
    resolved.push(await resolveFile(value, `${pointer}/${index}`, context));
  return resolved;
}

async function resolveLocation(
  location: string,
  pointer: string,
  { roots, policy, reach, lookups, runFiles, problems }: Context,
): Promise<string> {
  // The request is refused anyway; more problems would not help the caller, and would fill memory.
  if (problems.length >= MAX_PROBLEMS) return location;
  const local = fromAnswer(location, runFiles);
  if (isRemote(local)) {
    const problem = remoteProblem(local, `${pointer}/location`, policy);
    if (problem !== undefined) problems.push(problem);
    return local;
  }
  const resolved = await roots.resolve(local, async (path) => (await lookups.find(path))?.realPath);
  const found = resolved.kind === "found" && reach.isMixed(resolved.realPath) ? holdsOwnFiles(local) : resolved;
  if (found.kind === "found") return found.uri;
  if (local.startsWith(RELATIVE)) {
    problems.push(incomplete(decoded(local.slice(RELATIVE.length)), `${pointer}/location`));
    return location;
  }
  const code = found.kind === "missing" ? "missing-file" : "file-not-allowed";
  const hint = found.kind === "refused" ? { hint: found.hint } : {};
  problems.push({ pointer: `${pointer}/location`, code, detail: found.message, ...hint });
  return location;
}

function incomplete(written: string, pointer: string): ProblemError {
  const hint = "choose the file in a data folder, upload it, or give the whole path or address";
  return { pointer, code: "file-not-allowed", detail: `${written} is not a whole path or address`, hint };
}

/** A job with such a folder could see the log, tokens and other people's runs. */
function holdsOwnFiles(location: string): RootedPath {
  return {
    kind: "refused",
    message: `${location} contains the folder with this server's own files`,
    hint: "choose a folder inside it",
  };
}

/** Why an http(s) or data URL cannot be used, as far as is known without a request. */
export function remoteProblem(location: string, pointer: string, policy: HttpPolicy): ProblemError | undefined {
  const refusal = isHttp(location) ? policy.refuseUrl(location) : refuseData(location);
  if (refusal === undefined) return undefined;
  const { message, hint } = fetchFailure(location, { message: refusal.message, hint: refusal.hint });
  return { pointer, code: "file-not-allowed", detail: message, ...(hint === undefined ? {} : { hint }) };
}

function refuseData(location: string): HttpRefusal | undefined {
  return bytesOfDataUrl(location) === undefined ? { message: WRONG_DATA } : undefined;
}

/** A file of a run, in the form of this server's own answers: outputs can be used as inputs directly. */
function fromAnswer(location: string, runFiles: string): string {
  if (!location.startsWith(runFiles))
    return location.startsWith("weft-data:///") ? location.slice("weft-data://".length) : location;
  return location.slice(runFiles.length).replace(/^([^/]+)\/files\//, "weft-data://runs/$1/");
}
