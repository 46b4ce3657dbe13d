export interface PageLink {
  readonly label: string;
  readonly to: string;
}

/** Every page that is reached without an id, with other words for it. */
export const PAGES: readonly (PageLink & { readonly words: readonly string[] })[] = [
  { label: "Dashboard", to: "/", words: ["index", "home", "dashboard"] },
  { label: "Networks", to: "/networks", words: ["networks", "network", "workflows", "pipelines"] },
  { label: "Runs", to: "/runs", words: ["runs", "run", "jobs"] },
  { label: "Tools", to: "/tool", words: ["tool", "tools"] },
  { label: "Provenance", to: "/prov", words: ["prov", "provenance"] },
  { label: "Docs", to: "/doc", words: ["doc", "docs", "help", "guide"] },
  { label: "Event console", to: "/websocketclient", words: ["websocketclient", "events", "websocket"] },
  { label: "Shut down", to: "/shutdown", words: ["shutdown", "stop"] },
];

/** The three pages whose address is most like the given one, best first. */
export function nearestPages(path: string): readonly PageLink[] {
  const asked =
    path
      .split("/")
      .find((segment) => segment !== "")
      ?.toLowerCase() ?? "";
  return PAGES.map((page) => ({ page, distance: Math.min(...page.words.map((word) => editDistance(asked, word))) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ page: { label, to } }) => ({ label, to }));
}

/** Levenshtein distance: insertions, deletions and replacements that turn one word into the other. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
