import { CwlFailure } from "../cwl-failure.ts";
import { splitJobPath, toJobPath, type JobPath } from "./safe-name.ts";
import type { StagingEntry } from "./job-plan.ts";

interface PathRules {
  readonly outdir: string;
  /** True if paths may be outside of `outdir`, because the job certainly runs in its own container. */
  readonly allowAbsolute: boolean;
  /** The path of the field that failures name. */
  readonly place: string;
}

/**
 * The absolute path of a name relative to the output folder. Throws STAGE_IN for a name that leaves the folder.
 * CWL v1.2 CommandLineTool.html#Dirent, `entryname`.
 */
export function resolveJobPath(name: string, { outdir, allowAbsolute, place }: PathRules): JobPath {
  const isAbsolute = name.startsWith("/");
  const path = toJobPath(isAbsolute ? name : `${outdir}/${name}`);
  if (path?.startsWith(`${outdir}/`) === true) return path;
  if (isAbsolute && allowAbsolute && path !== undefined && path !== outdir) return path;
  const why = isAbsolute
    ? "is an absolute path, which needs a container named in `requirements`"
    : "is not inside the output folder";
  throw new CwlFailure("STAGE_IN", `\`${name}\` ${name === "" ? "is not a valid name" : why}`, { place });
}

/** An absolute path without `.`, `..` and repeated slashes; `..` at the root stays at the root. */
export function normalPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

/** The folders between the output folder and a path, outermost first; all parent folders of a path outside of it. */
export function parentFolders(path: JobPath, outdir: string): readonly StagingEntry[] {
  const folders: StagingEntry[] = [];
  for (let { folder } = splitJobPath(path); folder !== "" && folder !== outdir; { folder } = splitJobPath(folder)) {
    folders.unshift({ kind: "folder", target: folder });
  }
  return folders;
}
