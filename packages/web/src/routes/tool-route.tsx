import { useQuery } from "@tanstack/react-query";
import type { Sizing } from "@weft/shared/records/insight-record.ts";
import type { Tool } from "@weft/shared/records/process-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { useNavigate, useParams, useSearchParams } from "react-router-dom";
import { toolQuery } from "../api/queries/catalog-queries.ts";
import { routeQuery } from "../api/route-query.ts";
import { ValidityBadge } from "../components/badges.tsx";
import { DocText } from "../components/markdown/markdown-view.tsx";
import { ExportMenu, packedPath } from "../components/process/export-menu.tsx";
import { CannotRun } from "../components/process/issue-list.tsx";
import { EditLink, importedFacts } from "../components/process/process-link.tsx";
import { UpgradeNotice, VersionSelect } from "../components/process/version-select.tsx";
import { RecordPage } from "../components/record-page.tsx";
import { basisText, sizingRows } from "../components/resource-text.ts";
import { RunList } from "../components/run-list/run-list.tsx";
import { links } from "../format/links.ts";
import { Code, CodeBlock } from "../ui/code-block.tsx";
import { DataTable, type Column } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Pill } from "../ui/state-badge.tsx";
import { TabBar, type TabEntry } from "../ui/tab-bar.tsx";
import { Facts, type Fact } from "../ui/titled-section.tsx";
import { NameLink } from "../ui/text-link.tsx";
import { processTabs } from "./process-tabs.tsx";

const ToolComparison = onDemand(() => import("../features/tools/tool-comparison.tsx"), <Skeleton />);

/** `/tool/:toolName` (the newest version) and `/tool/:toolName/:version`, `?tab=&with=&from=` */
export default function ToolRoute() {
  const { toolName = "", version } = useParams();
  const tool = useQuery(toolQuery(toolName, version));
  return (
    <RecordPage
      query={tool}
      noun="tool"
      name={[toolName, version ?? ""].join(" ").trim()}
      list={
        version === undefined
          ? { label: "All tools", to: "/tool" }
          : { label: `Latest version of ${toolName}`, to: links.tool({ id: toolName }) }
      }
    >
      {(data) => <ToolPage tool={data} />}
    </RecordPage>
  );
}

function ToolPage({ tool }: { readonly tool: Tool }) {
  const isDeprecated = tool.versions.some(({ version, deprecated }) => version === tool.version && deprecated);
  return (
    <>
      <PageHeading
        title={tool.label ?? tool.id}
        documentTitle={`${tool.id} ${tool.version ?? ""} - Tools`}
        crumbs={[{ label: "Tools", to: "/tool" }]}
        aside={
          <>
            <ValidityBadge status={tool.validation.status} />
            {isDeprecated && <Pill tone="canceled">Deprecated</Pill>}
          </>
        }
        actions={<ToolActions tool={tool} />}
      />
      <p className="code mb-4 text-soft">
        {tool.id} {tool.version}
      </p>
      <div className="mb-4 empty:hidden">
        <CannotRun noun="tool" issues={tool.validation.issues} />
      </div>
      {tool.version !== null && <UpgradeNotice used={{ kind: "tool", id: tool.id, version: tool.version }} />}
      <TabBar label="About this tool" tabs={tabsOf(tool)} />
    </>
  );
}

function ToolActions({ tool }: { readonly tool: Tool }) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const tab = params.get("tab");
  return (
    <>
      <VersionSelect
        label="Version"
        versions={tool.versions}
        value={tool.version ?? ""}
        onChange={(version) => void navigate(links.tool({ id: tool.id, version }, { tab }))}
      />
      <ExportMenu
        name={`${tool.id}-${tool.version ?? ""}`}
        packed={tool.validation.status === "invalid" ? undefined : packedPath("tool", tool.id, tool.version)}
        sources={`/api/tools/${tool.id}/${tool.version ?? ""}/sources.zip`}
        page={links.tool(tool)}
      />
      <EditLink to={links.editTool(tool)} label="Edit" />
    </>
  );
}

function tabsOf(tool: Tool): readonly [TabEntry, ...TabEntry[]] {
  const { run, io, source, tests } = processTabs(tool, { ...tool, kind: "tool", steps: [] });
  const runs = <RunList filter={{ tool: tool.id }} caption={`Runs of ${tool.id}`} showProcess={false} />;
  return [
    { id: "docs", label: "Description", content: <ToolDocs tool={tool} /> },
    io,
    { id: "try", label: "Try it", content: run },
    ...[source, tests],
    { id: "resources", label: "Resources", content: <ToolSizing tool={tool} /> },
    { id: "usage", label: "Used by", content: <ToolUsage usedBy={tool.used_by} /> },
    { id: "diff", label: "Versions", content: <ToolComparison tool={tool} /> },
    { id: "runs", label: "Runs", content: runs },
  ];
}

const COLUMNS: readonly Column<Tool["used_by"][number]>[] = [
  {
    label: "Network",
    render: ({ network, step, version }) => (
      <NameLink to={links.network({ id: network, version }, { step })}>
        {network} {version}
      </NameLink>
    ),
  },
  { label: "Step", render: ({ step }) => step },
  { label: "Version of the tool", render: (use) => use.tool_version },
];

/** Description, command line and requirements of a tool. */
function ToolDocs({ tool }: { readonly tool: Tool }) {
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
    return [label, <Code key={name}>{value}</Code>];
  });
  const environment = Object.entries(tool.environment).map(([name, value]): Fact => [
    `$${name}`,
    <Code key={name}>{value}</Code>,
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
    ["Digest", <Code key="digest">{tool.digest}</Code>],
  ];
}

/** The steps of networks that run any version of this tool. */
function ToolUsage({ usedBy }: { readonly usedBy: Tool["used_by"] }) {
  return (
    <DataTable
      caption="Networks that use this tool"
      columns={COLUMNS}
      rows={usedBy}
      keyOf={(use) => `${use.network} ${use.version ?? ""} ${use.step} ${use.tool_version}`}
      empty="No network of the catalog uses this tool."
    />
  );
}

const USED = ["Median", "95th percentile", "Maximum"];

const SIZING_COLUMNS: readonly Column<ReturnType<typeof sizingRows>[number]>[] = [
  { label: "Resource", bare: true, className: "font-medium", render: ({ name }) => name },
  { label: "Requested", number: true, render: ({ requested }) => requested },
  ...USED.map((label, place) => ({
    label,
    number: true,
    render: ({ used }: ReturnType<typeof sizingRows>[number]) =>
      used?.[place] ?? <span className="text-soft">not measured</span>,
  })),
  { label: "Jobs", number: true, render: ({ jobs }) => jobs },
];

/** Requested and used resources of this version's jobs. */
function ToolSizing({ tool }: { readonly tool: Tool }) {
  if (tool.version === null) return <EmptyState text="No measurements: this tool has no version." />;
  return <OfVersion id={tool.id} version={tool.version} />;
}

function OfVersion({ id, version }: { readonly id: string; readonly version: string }) {
  const sizing = useQuery({
    ...routeQuery("GET /api/tools/{id}/{version}/sizing", { params: { id, version } }),
    staleTime: 60_000,
  });
  return (
    <QueryView query={sizing} rows={4}>
      {(data) => <SizingView sizing={data} name={`${id} ${version}`} />}
    </QueryView>
  );
}

/** Requested and used resources of jobs, and lines for the tool if enough jobs were measured. */
function SizingView({ sizing, name }: { readonly sizing: Sizing; readonly name: string }) {
  if (sizing.jobs === 0) return <p className="text-soft">{basisText(sizing)}</p>;
  return (
    <div className="space-y-3">
      <DataTable
        caption={`Resource usage: ${name}`}
        columns={SIZING_COLUMNS}
        rows={sizingRows(sizing)}
        keyOf={(row) => row.name}
      />
      <p className="text-soft">{basisText(sizing)}</p>
      <Suggestion sizing={sizing} />
    </div>
  );
}

function Suggestion({ sizing: { suggestion } }: { readonly sizing: Sizing }) {
  if (suggestion === null)
    return <p className="text-soft">Not enough measurements for a suggestion: at least five jobs are needed.</p>;
  return (
    <div className="max-w-xl">
      <p className="mb-1.5">
        Based on {countText(suggestion.jobs, "job")}: the 95th percentile, plus 20% for memory. Paste this into the
        tool:
      </p>
      <CodeBlock label="Suggested requirements" text={suggestion.text} />
    </div>
  );
}
