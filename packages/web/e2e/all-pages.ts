interface PageEntry {
  readonly path: string;
  /** The heading that the page shows. */
  readonly title: string | RegExp;
}

/** One page or tab of each kind that needs no run. */
export const PAGE_KINDS: Readonly<Record<string, readonly PageEntry[]>> = {
  "networks, tools and runs": [
    { path: "/", title: "Dashboard" },
    { path: "/networks", title: "Networks" },
    { path: "/network/imaging-cohort", title: "Imaging cohort" },
    { path: "/network/imaging-cohort?tab=run", title: "Imaging cohort" },
    { path: "/network/imaging-cohort?tab=source", title: "Imaging cohort" },
    { path: "/network/imaging-cohort?tab=info", title: "Imaging cohort" },
    { path: "/runs", title: "Runs" },
    { path: "/tool", title: "Tools" },
    { path: "/tool/threshold/1.0.0?tab=diff", title: /threshold/i },
    { path: "/tool/threshold?tab=resources", title: /threshold/i },
    { path: "/network/imaging-cohort/edit", title: "Edit imaging-cohort" },
  ],
  "other pages": [
    { path: "/tools/new", title: "New tool" },
    { path: "/datasets", title: "Datasets" },
    { path: "/prov", title: "Provenance" },
    { path: "/automations", title: "Automations" },
    { path: "/automations/new", title: "New automation" },
    { path: "/notifications", title: "Notifications" },
    { path: "/websocketclient", title: "Event console" },
    { path: "/server", title: "Server" },
    { path: "/server?tab=machine", title: "Server" },
    { path: "/server?tab=audit", title: "Server" },
    { path: "/shutdown", title: "Shut down" },
    { path: "/doc/tutorials/your-own-network", title: "Your own network in 15 minutes" },
    { path: "/doc?q=cache", title: "Search in the documentation" },
  ],
};

/** Every page and tab that needs no run. */
export const PAGES: readonly PageEntry[] = [
  ...Object.values(PAGE_KINDS).flat(),
  { path: "/index", title: "Dashboard" },
  { path: "/network/imaging-cohort?tab=io", title: "Imaging cohort" },
  { path: "/network/imaging-cohort?tab=runs", title: "Imaging cohort" },
  { path: "/tool/threshold", title: /threshold/i },
  { path: "/tool/threshold?tab=io", title: /threshold/i },
  { path: "/tool/threshold?tab=source", title: /threshold/i },
  { path: "/tool/threshold?tab=runs", title: /threshold/i },
  { path: "/tool/threshold/2.0.0?tab=try", title: /threshold/i },
  { path: "/tool/threshold?tab=usage", title: /threshold/i },
  { path: "/tool/threshold/1.0.0/edit", title: "Edit threshold 1.0.0" },
  { path: "/networks/new", title: "New network" },
  { path: "/server?tab=load", title: "Server" },
  { path: "/server?tab=disk", title: "Server" },
  { path: "/server?tab=workers", title: "Server" },
  { path: "/server?tab=documents", title: "Server" },
  { path: "/doc", title: "Weft documentation" },
  { path: "/doc/reference/command-line", title: "Command line" },
  { path: "/doc/reference/problems#invalid-inputs", title: "Problems" },
];

export const RUN_TABS = [
  "overview",
  "graph",
  "samples",
  "table",
  "review",
  "jobs",
  "timeline",
  "logs",
  "inputs",
  "outputs",
  "events",
  "prov",
  "info",
] as const;
