import { Readable } from "node:stream";
import type { Caller, EngineCatalog, PublishedFile } from "@weft/engine/port/engine.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Network, NetworkSummary, Tool, ToolSummary } from "@weft/shared/records/process-record.ts";

const DIGEST = `sha256:${"9f86d081".repeat(8)}`;
const STATS = { runs: 2, last_run_at: "2026-11-21T02:02:14.617Z", median_duration_ms: 1200 };
const TOOL_VERSIONS = ["2.0.0", "1.0.0"] as const;

/** A catalog of one network, `imaging-cohort`, and one tool, `smooth`, in two versions. */
export const fakeCatalog: EngineCatalog = {
  index: () => [
    { kind: "network", id: "imaging-cohort", label: "Imaging cohort", doc: undefined },
    { kind: "tool", id: "smooth", label: undefined, doc: undefined },
  ],
  summary: (caller, { kind }) => (kind === "network" ? networkSummary(caller) : toolSummary(caller)),
  listNetworks: (caller, query) => ({
    networks: [query.view === "url" ? caller.links.network("imaging-cohort") : networkSummary(caller)],
    total: 1,
    next_page_token: "",
  }),
  getNetwork: (caller, id, version) => {
    requireNetwork(id, version);
    return network(caller);
  },
  listTools: (caller, query) => ({
    tools: [query.view === "url" ? caller.links.tool("smooth") : toolSummary(caller)],
    total: 1,
    next_page_token: "",
  }),
  getTool: (caller, id, version) => tool(caller, requireTool(id, version)),
  packed: (_caller, { kind, id, version }) => {
    if (kind === "network") requireNetwork(id, version);
    else requireTool(id, version);
    return {
      text: JSON.stringify({ cwlVersion: "v1.2", class: kind === "network" ? "Workflow" : "CommandLineTool" }),
      digest: DIGEST,
    };
  },
  published: async (caller, entry) => {
    const { text } = fakeCatalog.packed(caller, entry);
    const file = (path: string, kind: PublishedFile["kind"], bytes: Buffer): PublishedFile => ({
      path,
      kind,
      read: async () => bytes,
    });
    const examples =
      entry.kind === "tool" ? [] : [file("examples/cohort.json", "example", Buffer.from('{"images":[]}'))];
    return [
      file(`${entry.id}.cwl`, "primary", Buffer.from(text)),
      file("catalog/lib/a b.sh", "helper", Buffer.from("echo a")),
      file("table.bin", "helper", Buffer.from([0xff, 0xfe])),
      ...examples,
    ];
  },
  publishedArchive: async (caller, entry) => {
    fakeCatalog.packed(caller, entry);
    return { name: `${entry.id}.zip`, open: () => Readable.from([Buffer.from("zip")]) };
  },
};

function requireNetwork(id: string, version: string | undefined): void {
  if (id !== "imaging-cohort") throw new Refusal("network-not-found", `There is no network ${id}`);
  if (version !== undefined && version !== UNVERSIONED)
    throw new Refusal("version-not-found", `${id} has no version ${version}`);
}

function requireTool(id: string, version: string = TOOL_VERSIONS[0]): string {
  if (id !== "smooth") throw new Refusal("tool-not-found", `There is no tool ${id}`);
  if (!TOOL_VERSIONS.some((known) => known === version))
    throw new Refusal("version-not-found", `${id} has no version ${version}`);
  return version;
}

function networkSummary(caller: Caller): NetworkSummary {
  return {
    id: "imaging-cohort",
    version: null,
    versions: [],
    url: caller.links.network("imaging-cohort"),
    digest: DIGEST,
    class: "Workflow",
    label: "Imaging cohort",
    validation_status: "valid",
    stats: STATS,
    step_count: 1,
    required_inputs: 1,
  };
}

function network(caller: Caller): Network {
  const { step_count: _steps, required_inputs: _inputs, ...summary } = networkSummary(caller);
  return {
    ...summary,
    cwl_version: "v1.2",
    examples: [{ name: "cohort", inputs: { images: [] } }],
    inputs: [{ id: "images", type: { kind: "array", items: { kind: "File" } }, type_text: "File[]", required: true }],
    outputs: [{ id: "report", type: { kind: "File" }, type_text: "File" }],
    validation: { status: "valid", issues: [] },
    source: [{ file: "networks/imaging-cohort/main.cwl", text: "cwlVersion: v1.2" }],
    links: { runs: `${caller.links.base}/api/runs?network=imaging-cohort` },
    steps: [
      {
        id: "smooth",
        run: {
          kind: "tool",
          class: "CommandLineTool",
          id: "smooth",
          version: "2.0.0",
          url: caller.links.tool("smooth", "2.0.0"),
        },
        scatter: ["image"],
        in: [{ id: "image", source: ["images"] }],
        out: ["smoothed"],
      },
    ],
    graph: {
      nodes: [
        { id: "images", kind: "input", label: "images", type_text: "File[]" },
        { id: "smooth", kind: "step", label: "smooth", step: "smooth", scatter: true, graph: { nodes: [], edges: [] } },
      ],
      edges: [{ from: "images", to: "smooth", from_port: "images", to_port: "image" }],
    },
  };
}

function toolSummary(caller: Caller): ToolSummary {
  const [version] = TOOL_VERSIONS;
  const versions = TOOL_VERSIONS.map((name) => ({
    version: name,
    url: caller.links.tool("smooth", name),
    deprecated: false,
    pinned: name === "1.0.0",
    digest: DIGEST,
  }));
  return {
    id: "smooth",
    version,
    versions,
    url: caller.links.tool("smooth", version),
    digest: DIGEST,
    class: "CommandLineTool",
    validation_status: "valid",
    stats: STATS,
    used_by_count: 1,
  };
}

function tool(caller: Caller, version: string): Tool {
  const { used_by_count: _count, container: _container, ...summary } = toolSummary(caller);
  return {
    ...summary,
    version,
    url: caller.links.tool("smooth", version),
    cwl_version: "v1.2",
    examples: [],
    inputs: [{ id: "image", type: { kind: "File" }, type_text: "File", required: true }],
    outputs: [],
    validation: { status: "valid", issues: [] },
    source: [],
    links: {},
    command: { base_command: ["smooth"], arguments: [], template_text: "smooth <image>" },
    container: null,
    software: [],
    resources: { coresMin: 1 },
    environment: {},
    used_by: [
      {
        network: "imaging-cohort",
        version: null,
        step: "smooth",
        tool_version: "2.0.0",
        url: caller.links.network("imaging-cohort"),
      },
    ],
  };
}
