import { CwlFailure } from "../cwl-failure.ts";
import { pathOfUri } from "../values/file-uri.ts";
import { nameOf } from "../files/staging/place-files.ts";
import { requestedSecondaryFiles, type RequestedFile } from "../files/secondary-files.ts";
import { splitName } from "../values/file-name.ts";
import type { FileRule, FileVisitor } from "../check/map-files.ts";
import type { Runtime } from "../model/job-plan.ts";
import { splitJobPath, toJobPath, type JobPath } from "../model/safe-name.ts";
import type { FileOrDirectory, FileValue } from "../model/cwl-value.ts";
import { describeOutputFile, type OutputContext } from "./describe-output-file.ts";

/**
 * Completes each File and Directory of an output: adds secondary files and the format, then replaces paths of the job with
 * locations that are valid outside of it. CWL v1.2 CommandLineTool.html#CommandOutputBinding.
 */
export function completeOutput(place: string, context: OutputContext): FileVisitor {
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
