import { distance } from "fastest-levenshtein";

export interface PageLink {
  readonly label: string;
  readonly to: string;
}

/** Every page without an id in its URL, with synonyms. */
export const PAGES: readonly (PageLink & { readonly words: readonly string[] })[] = [
  { label: "Dashboard", to: "/", words: ["index", "home", "dashboard"] },
  { label: "Networks", to: "/networks", words: ["networks", "network", "workflows", "pipelines"] },
  { label: "Runs", to: "/runs", words: ["runs", "run", "jobs"] },
  { label: "Tools", to: "/tool", words: ["tool", "tools"] },
  { label: "Provenance", to: "/prov", words: ["prov", "provenance"] },
  { label: "Docs", to: "/doc", words: ["doc", "docs", "help", "guide"] },
  { label: "Automations", to: "/automations", words: ["automations", "automation", "schedule", "cron"] },
  {
    label: "Notifications",
    to: "/notifications",
    words: ["notifications", "webhooks", "mail", "feed", "subscriptions"],
  },
  { label: "Server", to: "/server", words: ["server", "queue", "load", "disk", "workers", "audit"] },
  { label: "Event console", to: "/websocketclient", words: ["websocketclient", "events", "websocket"] },
  { label: "Shut down", to: "/shutdown", words: ["shutdown", "stop"] },
];

/** The three pages with the most similar paths, best first. */
export function nearestPages(path: string): readonly PageLink[] {
  const asked =
    path
      .split("/")
      .find((segment) => segment !== "")
      ?.toLowerCase() ?? "";
  return PAGES.map((page) => ({ page, edits: Math.min(...page.words.map((word) => distance(asked, word))) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ page: { label, to } }) => ({ label, to }));
}
