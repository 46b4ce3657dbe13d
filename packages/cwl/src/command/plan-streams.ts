import { CwlFailure } from "../cwl-failure.ts";
import { kindText } from "../values/value-kind.ts";
import type { CommandLineTool } from "../model/process.ts";
import { toRelativePath, type JobPath, type RelativePath } from "../model/safe-name.ts";
import { normalPath, parentFolders, resolveJobPath } from "../model/job-path.ts";
import type { StagingEntry } from "../model/job-plan.ts";
import type { CreatedFile } from "../files/staging/merge-staging.ts";
import type { WorkDirContext } from "./work-dir/work-dir-items.ts";

export interface StreamPlan {
  /** The absolute path that the job sees; undefined for empty input. */
  readonly stdin: string | undefined;
  /** Path relative to the output folder; undefined for the executor's own log file. */
  readonly stdout: RelativePath | undefined;
  readonly stderr: RelativePath | undefined;
  /** The parent folders of the files for stdout and stderr. */
  readonly staging: readonly StagingEntry[];
  /** Files that the streams create; nothing else may be staged there. */
  readonly created: readonly CreatedFile[];
}

/**
 * The files that the standard streams of a job are connected to. Throws EXPRESSION if a name is not a string.
 * CWL v1.2 CommandLineTool.html#CommandLineTool.
 */
export async function planStreams(
  tool: CommandLineTool,
  outdir: string,
  evaluation: WorkDirContext,
): Promise<StreamPlan> {
  const stdin = await evaluateName(tool.stdin, "stdin", evaluation);
  const stdout = outputPath(await evaluateName(tool.stdout, "stdout", evaluation), "stdout", outdir);
  const stderr = outputPath(await evaluateName(tool.stderr, "stderr", evaluation), "stderr", outdir);
  const folders = [stdout, stderr].flatMap((path) => (path === undefined ? [] : parentFolders(path, outdir)));
  return {
    stdin: stdin === undefined ? undefined : normalPath(stdin.startsWith("/") ? stdin : `${outdir}/${stdin}`),
    stdout: belowFolder(stdout, outdir),
    stderr: belowFolder(stderr, outdir),
    staging: folders,
    created: Object.entries({ stdout, stderr }).flatMap(([by, target]) =>
      target === undefined ? [] : [{ by, target }],
    ),
  };
}

async function evaluateName(
  written: string | undefined,
  place: string,
  { evaluator, context }: WorkDirContext,
): Promise<string | undefined> {
  if (written === undefined) return undefined;
  const value = await evaluator.evaluate(written, { ...context, self: null }, { place });
  if (value === null && place === "stdin") return undefined;
  if (typeof value === "string") return value;
  throw new CwlFailure("EXPRESSION", `\`${place}\` must be a file name, but the expression gave ${kindText(value)}`, {
    place,
  });
}

function belowFolder(path: JobPath | undefined, folder: string): RelativePath | undefined {
  return path === undefined ? undefined : toRelativePath(path.slice(folder.length + 1));
}

function outputPath(name: string | undefined, place: string, outdir: string): JobPath | undefined {
  if (name === undefined) return undefined;
  return resolveJobPath(name, { outdir, allowAbsolute: false, place });
}
