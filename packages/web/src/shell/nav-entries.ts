interface NavEntry {
  readonly label: string;
  readonly to: string;
  /** First path segments of the pages that belong to the entry. */
  readonly segments: readonly string[];
}

export const NAV_ENTRIES: readonly NavEntry[] = [
  { label: "Networks", to: "/networks", segments: ["networks", "network"] },
  { label: "Runs", to: "/runs", segments: ["runs", "run"] },
  { label: "Datasets", to: "/datasets", segments: ["datasets", "dataset"] },
  { label: "Tools", to: "/tool", segments: ["tool"] },
  { label: "Provenance", to: "/prov", segments: ["prov"] },
  { label: "Docs", to: "/doc", segments: ["doc"] },
];

/** True if the page at `pathname` belongs to the entry. */
export function isCurrent(entry: NavEntry, pathname: string): boolean {
  return entry.segments.includes(pathname.split("/")[1] ?? "");
}
