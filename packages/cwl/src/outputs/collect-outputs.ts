/**
 * Collects the output object of a job from its output folder. Each output is found (glob), read (loadContents), computed
 * (outputEval), completed (secondary files, format, checksum) and finally checked against its type. If the program wrote
 * `cwl.output.json`, that file contains the whole object instead. CWL v1.2 CommandLineTool.html#Output_binding.
 */
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { neverGiveWay } from "../give-way.ts";
import type { Runtime, StagingEntry } from "../model/job-plan.ts";
import { CwlFailure } from "../cwl-failure.ts";
import { typeText } from "../model/type-text.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import { checkType, matchesType } from "../check/check-type.ts";
import type { FileAccess } from "../files/file-access.ts";
import { ContentsLoader } from "../files/contents-loader.ts";
import { shownPointer } from "../values/input-problem.ts";
import { ListingLoader } from "../files/listing-loader.ts";
import { mapFiles, type FileRule, type FileVisitor } from "../check/map-files.ts";
import { settleDoubles } from "../check/settle-doubles.ts";
import { fieldOf } from "../values/value-kind.ts";
import type { CwlObject, CwlValue, FileOrDirectory, FileValue } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { CommandLineTool, OutputParameter } from "../model/process.ts";
import { collectOutput } from "./collect-output.ts";
import { OutputSpace } from "./output-space.ts";
import { checkedObject } from "../values/checked-value.ts";
import { NotUtf8 } from "../values/decode-utf8.ts";
import { joinUri, pathOfUri } from "../values/file-uri.ts";
import { limitExceeded, type CwlLimits } from "../limits.ts";
import { nameOf } from "../files/staging/place-files.ts";
import { requestedSecondaryFiles, type RequestedFile } from "../files/secondary-files.ts";
import { splitName } from "../values/file-name.ts";
import { splitJobPath, toJobPath, type JobPath } from "../model/safe-name.ts";
import { describeOutputFile, type OutputContext } from "./describe-output-file.ts";

export interface CollectOptions {
  readonly tool: CommandLineTool;
  readonly requirements: RequirementSet;
  /** The inputs of the job's plan: Files and Directories have the paths that the job saw. */
  readonly inputs: CwlObject;
  /** The `runtime` of the job's plan, with `exitCode`. */
  readonly runtime: Runtime;
  /** The current location of the output folder. */
  readonly outdirUri: string;
  readonly files: FileAccess;
  readonly evaluator: Evaluator;
  /** The files that the job's plan staged. Outputs may link to files that were linked for the job. */
  readonly staging?: readonly StagingEntry[];
}

/** The output object of a job that succeeded; rejects with MISSING_OUTPUT, OUTPUT_INVALID or EXPRESSION. */
export async function collectOutputs(options: CollectOptions): Promise<CwlObject> {
  const { tool, runtime, files, evaluator } = options;
  const space = new OutputSpace({ ...options, outdir: runtime.outdir });
  const listings = new ListingLoader({ files, limits: evaluator.limits });
  const contents = new ContentsLoader({ files, limits: evaluator.limits, cwlVersion: tool.cwlVersion });
  const context = { ...options, space, listings, contents };
  const written = await readOutputObject({ ...options, space, limits: evaluator.limits });
  const outputs: [string, CwlValue][] = [];
  for (const output of tool.outputs) {
    const place = `outputs.${output.id}`;
    const value =
      written === undefined
        ? await collectOutput({ ...output, name: output.id, place }, context)
        : (fieldOf(written, output.id) ?? null);
    const rule = { ...output, loadContents: false, ...listingRule(output) };
    // An object that the program wrote itself is complete, so bindings and patterns are ignored.
    const ruled = written === undefined ? rule : { ...rule, secondaryFiles: [], format: [] };
    const typed = { value, type: output.type, rule: ruled, pointer: "" };
    const complete = await mapFiles(typed, completeOutput(place, context), neverGiveWay);
    checkOutput(output, complete);
    outputs.push([output.id, settleDoubles(output.type, complete)]);
  }
  return Object.fromEntries(outputs);
}

function listingRule({ outputBinding }: OutputParameter) {
  return outputBinding?.loadListing === undefined ? {} : { loadListing: outputBinding.loadListing };
}

/** CWL v1.2 CommandLineTool.html#Generic_execution_process, step 9. */
export function checkOutput({ id, type }: Pick<OutputParameter, "id" | "type">, value: CwlValue): void {
  const place = `outputs.${id}`;
  // Any does not accept null as an input, but the conformance suite lets tools return it.
  if (value === null && type.kind === "Any") return;
  if (value === null && !matchesType(type, null)) {
    throw new CwlFailure("MISSING_OUTPUT", `output \`${id}\` has no value, but its type ${typeText(type)} needs one`, {
      place,
    });
  }
  const first = checkType(type, value, "").find(({ severity }) => severity === "error");
  if (first === undefined) return;
  const where = first.pointer === "" ? "" : ` (at ${shownPointer(first.pointer)})`;
  throw new CwlFailure("OUTPUT_INVALID", `output \`${id}\`${where}: ${first.message}`, { place });
}

const OUTPUT_OBJECT_FILE = "cwl.output.json";
const PLACE = `outputs (${OUTPUT_OBJECT_FILE})`;

interface ReadOptions {
  readonly outdirUri: string;
  readonly files: FileAccess;
  readonly space: OutputSpace;
  readonly limits: CwlLimits;
}

/**
 * The output object that the program itself wrote; undefined if there is none. Refuses a link out of the output folder and
 * never quotes the content, because both could reveal other files on this machine.
 * CWL v1.2 CommandLineTool.html#Output_binding.
 */
async function readOutputObject(options: ReadOptions): Promise<CwlObject | undefined> {
  const { outdirUri, files, space, limits } = options;
  const uri = joinUri(outdirUri, OUTPUT_OBJECT_FILE);
  const stat = await files.stat(uri);
  if (stat?.kind !== "file") return undefined;
  const real = await space.resolveLinks(uri, PLACE);
  if (stat.size > limits.outputObjectBytes)
    throw limitExceeded("outputObjectBytes", limits, {
      what: `the size of \`${OUTPUT_OBJECT_FILE}\` (${stat.size.toLocaleString("en")} bytes)`,
      place: PLACE,
    });
  const value = parseJson(await files.readText(real, stat.size).catch(refuseBytes));
  return checkedObject(value, { limits, code: "OUTPUT_INVALID", place: PLACE });
}

function refuseBytes(error: unknown): never {
  if (!(error instanceof NotUtf8)) throw error;
  throw new CwlFailure("OUTPUT_INVALID", `\`${OUTPUT_OBJECT_FILE}\` is ${error.message}`, { place: PLACE });
}

/** Parses untrusted JSON from a program. Invalid JSON fails the job with OUTPUT_INVALID. */
function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    // The parser's message quotes part of the text.
    throw new CwlFailure("OUTPUT_INVALID", `\`${OUTPUT_OBJECT_FILE}\` is not valid JSON`, { place: PLACE });
  }
}

/**
 * Completes each File and Directory of an output: adds secondary files and the format, then replaces paths of the job with
 * locations that are valid outside of it. CWL v1.2 CommandLineTool.html#CommandOutputBinding.
 */
function completeOutput(place: string, context: OutputContext): FileVisitor {
  return async (value, rule) => {
    if (value.class === "Directory") return describeOutputFile(value, rule, { place, context });
    const self = asSelf(value, context);
    const members = await secondaryFilesOf(self, rule, { place, context });
    const format = await formatOf(self, rule, { place, context });
    const complete: FileValue = {
      ...value,
      ...(members.length === 0 ? {} : { secondaryFiles: members }),
      ...(format === undefined ? {} : { format }),
    };
    return describeOutputFile(complete, rule, { place, context });
  };
}

interface At {
  readonly place: string;
  readonly context: OutputContext;
}

/** A File with the fields that expressions may use: its names, and its path inside the job. */
function asSelf(file: FileValue, { runtime }: OutputContext): FileValue {
  const written = file.path ?? (file.location?.startsWith("file:") === true ? pathOfUri(file.location) : undefined);
  const path = written === undefined ? undefined : absolutePath(written, runtime);
  const split = path === undefined ? undefined : splitJobPath(path);
  const fromPath = file.path === undefined ? undefined : split?.name;
  const basename = file.basename ?? fromPath ?? nameOf(file);
  const named = { ...file, basename, ...splitName(basename) };
  return path === undefined || split === undefined ? named : { ...named, path, dirname: split.folder };
}

/** The absolute path for a path that the job wrote; undefined if it is not valid. */
function absolutePath(path: string, { outdir }: Pick<Runtime, "outdir">): JobPath | undefined {
  return toJobPath(path.startsWith("/") ? path : `${outdir}/${path}`);
}

async function secondaryFilesOf(
  self: FileValue,
  rule: FileRule,
  { place, context }: At,
): Promise<readonly FileOrDirectory[]> {
  const { evaluator, inputs, runtime } = context;
  const patternContext = {
    evaluator,
    context: { inputs, runtime },
    place: `${place}.secondaryFiles`,
    requiredByDefault: false,
  };
  const members = [...(self.secondaryFiles ?? [])];
  for (const request of await requestedSecondaryFiles(self, rule.secondaryFiles, patternContext)) {
    const found = await findMember(self, request, { place, context });
    const isKnown = members.some(({ basename }) => basename !== undefined && basename === found?.basename);
    if (found !== undefined && !isKnown) members.push(found);
  }
  return members;
}

async function findMember(
  self: FileValue,
  { target, isRequired, pattern }: RequestedFile,
  { place, context }: At,
): Promise<FileOrDirectory | undefined> {
  const written = typeof target === "string" ? `${self.dirname ?? context.runtime.outdir}/${target}` : target.path;
  const path = written === undefined ? undefined : absolutePath(written, context.runtime);
  const location = typeof target === "string" ? undefined : target.location;
  const uri = path === undefined ? location && context.space.uriOfLocation(location) : context.space.uriOfPath(path);
  const stat = uri === undefined ? undefined : await context.files.stat(uri);
  if (typeof target !== "string" && (stat !== undefined || isRequired)) return target;
  if (stat !== undefined && path !== undefined)
    return { class: stat.kind === "directory" ? "Directory" : "File", path, basename: splitJobPath(path).name };
  if (!isRequired) return undefined;
  const name = typeof target === "string" ? target : nameOf(target);
  throw new CwlFailure(
    "MISSING_OUTPUT",
    `\`${self.basename}\` lacks its secondary file \`${name}\` (pattern \`${pattern}\`)`,
    { place },
  );
}

async function formatOf(self: FileValue, rule: FileRule, { place, context }: At): Promise<string | undefined> {
  const [written] = rule.format ?? [];
  if (written === undefined) return undefined;
  const { evaluator, inputs, runtime } = context;
  const value = await evaluator.evaluate(written, { inputs, self, runtime }, { place: `${place}.format` });
  return typeof value === "string" ? value : undefined;
}
