import type { RouteId } from "@weft/shared/routes/routes.ts";

export interface RequestExample {
  readonly summary: string;
  readonly value: unknown;
}

const OF_RUNS: Readonly<Record<string, RequestExample>> = {
  network: {
    summary: "A network on input files",
    value: {
      network: "imaging-cohort",
      name: "Pilot",
      inputs: { images: [{ class: "File", location: "weft-data://cohort/sub-01.nii" }] },
      tags: { study: "pilot" },
      options: { on_failure: "continue" },
    },
  },
  tool: {
    summary: "One version of a tool",
    value: {
      tool: "smooth",
      version: "1.0.0",
      inputs: { image: { class: "File", location: "weft-data://cohort/sub-01.nii" } },
    },
  },
  samples: {
    summary: "Named samples and output destinations (`--sink results=DIR`)",
    value: {
      network: "imaging-cohort",
      inputs: {
        images: [
          { class: "File", location: "weft-data://cohort/sub-01.nii" },
          { class: "File", location: "weft-data://cohort/sub-02.nii" },
        ],
      },
      samples: { images: ["sub-01", "sub-02"] },
      sink_data: { measures: "vfs://results/{sample_id}/{basename}" },
    },
  },
  sources: {
    summary: "Older form: sources name the samples",
    value: {
      network: "imaging-cohort",
      source_data: {
        images: { "sub-01": "weft-data://cohort/sub-01.nii", "sub-02": "weft-data://cohort/sub-02.nii" },
      },
      sink_data: { measures: "vfs://results/{sample_id}/{basename}" },
    },
  },
};

const OF_RETRIES: Readonly<Record<string, RequestExample>> = {
  same: { summary: "Retry the whole run: only failed jobs run", value: {} },
  edited: { summary: "Change one input", value: { inputs: { threshold: 0.7 } } },
  samples: { summary: "Only some samples", value: { samples: ["sub-03"] } },
  newest: {
    summary: "Use the newest document, without the cache",
    value: { version: "newest", options: { cache: "refresh" } },
  },
};

const OF_AUTOMATIONS: Readonly<Record<string, RequestExample>> = {
  schedule: {
    summary: "A run every night",
    value: {
      ...{ name: "Every night", network: "imaging-cohort", inputs: { images: [] } },
      trigger: { kind: "schedule", cron: "0 3 * * *", time_zone: "Europe/Berlin" },
    },
  },
};

const OF_TESTS: Readonly<Record<string, RequestExample>> = {
  all: { summary: "All tests", value: {} },
  some: { summary: "Some of them", value: { tests: ["six-words"] } },
};

const ELDERLY = {
  location: "weft-data://study/",
  where: [
    { field: "suffix", op: "=", values: ["T1w"] },
    { field: "age", op: ">", values: ["60"] },
  ],
  per: ["sub"],
  columns: [{ kind: "file", name: "images" }],
} as const;

const SAVED = { name: "Elderly", network: "imaging-cohort", query: ELDERLY };

/** Bodies that work against the shipped catalog; a test checks them with the routes' schemas. */
export const REQUEST_EXAMPLES: { readonly [Id in RouteId]?: Readonly<Record<string, RequestExample>> } = {
  "POST /api/runs/{run_id}/reproduce": {
    exactly: { summary: "All outputs must be identical", value: {} },
    tolerance: {
      summary: "Numbers may differ by 0.1%",
      value: { name: "Pilot, again", tolerance: { relative: 0.001 } },
    },
  },
  "POST /api/runs": OF_RUNS,
  "POST /api/plans": OF_RUNS,
  "POST /api/drafts": {
    version: {
      summary: "A new version of a tool",
      value: { kind: "tool", id: "threshold", based_on: "2.0.0" },
    },
    network: { summary: "A new network", value: { kind: "network", id: "night-shift" } },
  },
  "POST /api/drafts/{draft_id}": {
    text: { summary: "The whole text", value: { text: "cwlVersion: v1.2\nclass: Workflow\n" } },
  },
  "POST /api/runs/{run_id}/reviews": {
    failed: {
      summary: "A sample that failed quality control",
      value: { reviews: [{ sample_id: "sub-03", verdict: "fail", comment: "Motion artifacts" }] },
    },
  },
  "POST /api/drafts/{draft_id}/editors": {
    present: { summary: "A window has the draft open", value: { editor: "7d3f1f0e-2b64-4c55-8d0a-6f9e3b7a1c20" } },
  },
  "POST /api/drafts/{draft_id}/runs": { inputs: { summary: "With inputs", value: { inputs: { level: 3 } } } },
  "POST /api/drafts/{draft_id}/plans": { inputs: { summary: "With inputs", value: { inputs: { level: 3 } } } },
  "POST /api/drafts/{draft_id}/publish": { minor: { summary: "A minor change", value: { version: "2.1.0" } } },
  "POST /api/drafts/{draft_id}/files": {
    test: {
      summary: "A test next to the document",
      value: { changes: [{ do: "write", path: "tests/small.yml", text: "inputs: {level: 3}\n" }] },
    },
    rename: { summary: "Rename a file", value: { changes: [{ do: "rename", path: "a.py", to: "scripts/a.py" }] } },
  },
  "POST /api/drafts/{draft_id}/tests": OF_TESTS,
  "POST /api/commits": {
    one: { summary: "A version", value: { versions: [{ kind: "tool", id: "threshold", version: "2.1.0" }] } },
  },
  "POST /api/draft-imports/url": {
    document: { summary: "A document", value: { url: "https://example.org/workflows/align.cwl" } },
    registry: { summary: "A registry", value: { url: "trs://dockstore.org/lab.tools.align/1.0" } },
  },
  "POST /api/upgrades": {
    networks: {
      summary: "Two networks that run an older version",
      value: { kind: "tool", id: "threshold", version: "2.1.0", networks: ["imaging-cohort", "night-shift"] },
    },
  },
  "POST /api/draft-groups/{group_id}/publish": {
    one: {
      summary: "A draft as the author has seen it",
      value: { drafts: [{ draft_id: "0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11", revision: 3 }] },
    },
  },
  "POST /api/datasets/query": {
    bids: { summary: "An image of each elderly subject", value: ELDERLY },
    pattern: {
      summary: "Pairs of reads in a folder that is not BIDS",
      value: {
        location: "weft-data://sequences/",
        pattern: "{sample}/{session}_R{read}.fastq.gz",
        per: ["sample", "session"],
        columns: [
          { kind: "file", name: "forward", where: [{ field: "read", op: "=", values: ["1"] }] },
          { kind: "file", name: "reverse", where: [{ field: "read", op: "=", values: ["2"] }], optional: true },
        ],
      },
    },
  },
  "POST /api/dataset-queries": { save: { summary: "Save a query", value: SAVED } },
  "POST /api/dataset-queries/{query_id}": { change: { summary: "Replace a query", value: SAVED } },
  "POST /api/tools/{id}/{version}/tests": OF_TESTS,
  "POST /api/networks/{id}/tests": OF_TESTS,
  "POST /api/runs/{run_id}/retry": OF_RETRIES,
  "POST /api/runs/{run_id}/retry-plan": OF_RETRIES,
  "POST /api/runs/{run_id}/describe": {
    rename: { summary: "Rename", value: { name: "Baseline" } },
    tags: {
      summary: "Change note and tags",
      value: { note: "Before the new scanner.", tags: { paper: "figure-2" } },
    },
  },
  "POST /api/runs/describe": {
    archive: {
      summary: "Archive runs",
      value: { run_ids: ["019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f"], archived: true },
    },
    tag: {
      summary: "Tag runs",
      value: {
        run_ids: ["019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f"],
        add_tags: { paper: "figure-2" },
        remove_tags: ["draft"],
      },
    },
  },
  "POST /api/automations": OF_AUTOMATIONS,
  "POST /api/automation-plans": OF_AUTOMATIONS,
  "POST /api/subscriptions": {
    webhook: {
      summary: "A webhook for each failed run of a network",
      value: {
        ...{ channel: "webhook", name: "Lab bot", scope: { network: "imaging-cohort" }, triggers: ["failure"] },
        url: "https://bot.lab.example/weft",
      },
    },
    feed: {
      summary: "A feed of a network",
      value: {
        ...{ channel: "feed", name: "Reader", scope: { network: "imaging-cohort" }, triggers: ["failure", "success"] },
      },
    },
  },
  "POST /api/prune": {
    intermediate: {
      summary: "Intermediate files of runs that finished at least a week ago",
      value: { parts: ["intermediate"], older_than_ms: 604_800_000 },
    },
    run: {
      summary: "All files of one run",
      value: { run_id: "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f", parts: ["intermediate", "logs", "outputs"] },
    },
    caches: { summary: "Unused uploads and downloads", value: { uploads: true, downloads: true } },
  },
  "POST /api/session": {
    code: { summary: "Code of a sign-in link", value: { code: "sYPuVdL5uX0jN4mZ1rZ6cK2bT9qWvE8hGfA7iOxRnMc" } },
  },
  "POST /shutdown": { drain: { summary: "Wait until runs finish", value: { mode: "drain", confirm: "shutdown" } } },
};
