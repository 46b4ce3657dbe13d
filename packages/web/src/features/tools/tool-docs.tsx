import type { Tool } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { DocText } from "../../components/markdown/markdown-view.tsx";
import { importedFacts } from "../../components/process-link.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Fact, Facts } from "../../ui/titled-section.tsx";

const COLUMNS: readonly Column<Tool["used_by"][number]>[] = [
  {
    label: "Network",
    cell: ({ network, step, version }) => (
      <Link
        className="link font-medium"
        to={`/network/${network}?step=${encodeURIComponent(step)}${version === null ? "" : `&v=${encodeURIComponent(version)}`}`}
      >
        {network} {version}
      </Link>
    ),
  },
  { label: "Step", cell: ({ step }) => step },
  { label: "Version of the tool", cell: (use) => use.tool_version },
];

/** Description, command line and requirements of a tool. */
export function ToolDocs({ tool }: { readonly tool: Tool }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="min-w-0 space-y-5">
        <section>
          <h2 className="mb-1.5">Description</h2>
          {tool.doc === undefined ? <p className="text-soft">No description.</p> : <DocText text={tool.doc} />}
        </section>
        <section>
          <h2 className="mb-1.5">Command line</h2>
          {tool.command === null ? (
            <p className="text-soft">Expression – runs no program</p>
          ) : (
            <CodeBlock label="Command line template" text={tool.command.template_text} wrap />
          )}
        </section>
      </div>
      <section className="card p-4">
        <h2 className="mb-2">Requirements</h2>
        <Facts facts={needsOf(tool)} />
      </section>
    </div>
  );
}

/** Fields of ResourceRequirement (CWL v1.2), as people call them. */
const RESOURCES: ReadonlyMap<string, readonly [label: string, unit: string]> = new Map([
  ["coresMin", ["Cores (minimum)", ""]],
  ["coresMax", ["Cores (maximum)", ""]],
  ["ramMin", ["Memory (minimum)", "MiB"]],
  ["ramMax", ["Memory (maximum)", "MiB"]],
  ["tmpdirMin", ["Temporary files (minimum)", "MiB"]],
  ["tmpdirMax", ["Temporary files (maximum)", "MiB"]],
  ["outdirMin", ["Output files (minimum)", "MiB"]],
  ["outdirMax", ["Output files (maximum)", "MiB"]],
]);

function needsOf(tool: Tool): readonly Fact[] {
  const resources = Object.entries(tool.resources).map(([name, value]): Fact => {
    const [label = name, unit = ""] = RESOURCES.get(name) ?? [];
    if (typeof value === "number") return [label, `${value} ${unit}`.trim()];
    // An expression has no unit until a job evaluates it.
    return [
      label,
      <code key={name} className="code">
        {value}
      </code>,
    ];
  });
  const environment = Object.entries(tool.environment).map(([name, value]): Fact => [
    `$${name}`,
    <code key={name} className="code">
      {value}
    </code>,
  ]);
  const software = tool.software.map((entry): Fact => [
    entry.package,
    [...entry.version, ...entry.specs].join(", ") || "any",
  ]);
  return [
    ["Class", tool.class ?? "unknown"],
    ...importedFacts(tool),
    ["Container", tool.container?.image ?? "none"],
    ...software,
    ...resources,
    ...environment,
    ["CWL", tool.cwl_version ?? "unknown"],
    [
      "Digest",
      <span key="digest" className="code">
        {tool.digest}
      </span>,
    ],
  ];
}

/** The steps of networks that run any version of this tool. */
export function ToolUsage({ usedBy }: { readonly usedBy: Tool["used_by"] }) {
  if (usedBy.length === 0) return <EmptyState text="No network of the catalog uses this tool." />;
  return (
    <DataTable
      caption="Networks that use this tool"
      columns={COLUMNS}
      rows={usedBy}
      keyOf={(use) => `${use.network} ${use.version ?? ""} ${use.step} ${use.tool_version}`}
    />
  );
}
