import { CwlFailure } from "../../cwl-failure.ts";
import type { FileAccess, FileStat } from "../../files/file-access.ts";
import { joinUri } from "../../values/file-uri.ts";
import { isLiteralGlob, matchGlob } from "./match-glob.ts";

/** A file or folder in the output folder. `path` is relative to the output folder, and empty for the folder itself. */
export interface GlobMatch {
  readonly path: string;
  readonly uri: string;
  readonly stat: FileStat;
}

interface GlobOptions {
  readonly files: FileAccess;
  readonly outdirUri: string;
  /** The output folder as the job saw it: absolute patterns start with it. */
  readonly outdir: string;
  /** The path of the field that failures name. */
  readonly place: string;
}

/**
 * The matches of a pattern in the output folder, sorted by path in code-unit order; an empty pattern matches nothing.
 * Patterns that leave the folder are refused with OUTPUT_INVALID. CWL v1.2 CommandLineTool.html#CommandOutputBinding.
 */
export async function globFiles(pattern: string, options: GlobOptions): Promise<readonly GlobMatch[]> {
  if (pattern === "") return [];
  const segments = relativeSegments(pattern, options);
  const root: GlobMatch = { path: "", uri: options.outdirUri, stat: { kind: "directory", size: 0 } };
  let matches: readonly GlobMatch[] = [root];
  for (const segment of segments) matches = await descend(matches, segment, options.files);
  return pattern.endsWith("/") ? matches.filter(({ stat }) => stat.kind === "directory") : matches;
}

function relativeSegments(pattern: string, { outdir, place }: GlobOptions): readonly string[] {
  const isBelow = pattern === outdir || pattern.startsWith(`${outdir}/`);
  if (pattern.startsWith("/") && !isBelow) throw outside(pattern, place);
  const kept: string[] = [];
  for (const segment of (isBelow ? pattern.slice(outdir.length) : pattern).split("/")) {
    if (segment === "..") {
      if (kept.pop() === undefined) throw outside(pattern, place);
    } else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return kept;
}

function outside(pattern: string, place: string): CwlFailure {
  return new CwlFailure("OUTPUT_INVALID", `the pattern \`${pattern}\` leads out of the output folder`, { place });
}

async function descend(
  folders: readonly GlobMatch[],
  segment: string,
  files: FileAccess,
): Promise<readonly GlobMatch[]> {
  const matches: GlobMatch[] = [];
  for (const folder of folders) {
    if (folder.stat.kind !== "directory") continue;
    matches.push(
      ...(isLiteralGlob(segment)
        ? await childNamed(folder, segment, files)
        : await childrenLike(folder, segment, files)),
    );
  }
  return matches;
}

async function childNamed(folder: GlobMatch, name: string, files: FileAccess): Promise<readonly GlobMatch[]> {
  const uri = joinUri(folder.uri, name);
  const stat = await files.stat(uri);
  return stat === undefined ? [] : [{ path: childPath(folder, name), uri, stat }];
}

async function childrenLike(folder: GlobMatch, pattern: string, files: FileAccess): Promise<readonly GlobMatch[]> {
  const children = await files.list(folder.uri);
  return children
    .filter(({ name }) => matchGlob(pattern, name))
    .map(({ name, kind, size }) => ({
      path: childPath(folder, name),
      uri: joinUri(folder.uri, name),
      stat: { kind, size },
    }));
}

function childPath(folder: GlobMatch, name: string): string {
  return folder.path === "" ? name : `${folder.path}/${name}`;
}
