// Finds the files that hold prose, and the area to which each of their parts belongs.
import type { Part } from "./mask-source.ts";

export interface ProseText {
  readonly path: string;
  readonly area: string;
  /** Undefined: the whole file is prose. */
  readonly part?: Part;
}

/** Decisions that no longer hold. */
const ARCHIVE = "docs/adr/archive/";
/** Generated sources, and the vocabulary itself. */
const NOT_PROSE = /\/(prose|clients)\/|\.d\.ts$/;
/** Sources whose strings are not for users. */
const TESTS = /\.(test|spec)\.tsx?$|\/(test|testing|e2e|bench)\//;

/** The prose of the files of a repository, by their paths. */
export function proseOf(paths: readonly string[]): ProseText[] {
  return paths.flatMap((path): ProseText[] => {
    if (path.endsWith(".md")) return path.startsWith(ARCHIVE) ? [] : [{ path, area: markdownArea(path) }];
    if (NOT_PROSE.test(path)) return [];
    const [, name] = path.split("/");
    if (/^packages\/catalog\/.*\.cwl$/.test(path)) return [{ path, area: "catalog documents" }];
    if (!/^packages\/.*\.(tsx?|mjs)$/.test(path)) return [];
    const parts = TESTS.test(path) ? (["comments", "names", "subjects"] as const) : (["comments", "texts"] as const);
    return parts.map((part) => ({ path, area: TESTS.test(path) ? `${name} tests` : `${name} ${part}`, part }));
  });
}

function markdownArea(path: string): string {
  if (path.startsWith("docs/adr/")) return "decisions";
  return path === "CHANGELOG.md" ? "changelog" : "docs";
}
