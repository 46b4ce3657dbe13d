// Which files hold prose, and to which area each of their parts belongs.
import type { Part } from "./mask-source.ts";

export interface ProseText {
  readonly path: string;
  readonly area: string;
  /** Undefined: the whole file is prose. */
  readonly part?: Part;
}

/** Sources that are not prose for readers: tests, benchmarks, what is generated, and the vocabulary itself. */
const NOT_PROSE = /\.test\.tsx?$|\/(test|testing|e2e|bench|prose|clients)\/|\.d\.ts$/;

/** The prose of the files of a repository, by their paths. */
export function proseOf(paths: readonly string[]): ProseText[] {
  return paths.flatMap((path): ProseText[] => {
    if (path.endsWith(".md")) return [{ path, area: markdownArea(path) }];
    if (NOT_PROSE.test(path)) return [];
    const [, name] = path.split("/");
    if (/^packages\/catalog\/.*\.cwl$/.test(path)) return [{ path, area: "catalog documents" }];
    if (!/^packages\/.*\.(tsx?|mjs)$/.test(path)) return [];
    return (["comments", "texts"] as const).map((part) => ({ path, area: `${name} ${part}`, part }));
  });
}

function markdownArea(path: string): string {
  if (path.startsWith("docs/adr/")) return "decisions";
  return path === "CHANGELOG.md" ? "changelog" : "docs";
}
