import { useQuery } from "@tanstack/react-query";
import type { Tool } from "@weft/shared/records/process-record.ts";
import { useNavigate, useParams, useSearchParams } from "react-router-dom";
import { toolQuery } from "../api/catalog-queries.ts";
import { ExportMenu, packedPath } from "../components/export-menu.tsx";
import { CannotRun } from "../components/issue-list.tsx";
import { ParameterTables } from "../components/parameter-tables.tsx";
import { EditLink } from "../components/process-link.tsx";
import { RecordPage } from "../components/record-page.tsx";
import { RunList } from "../components/run-list.tsx";
import { SourceView } from "../components/source-view.tsx";
import { ValidityBadge } from "../components/badges.tsx";
import { UpgradeNotice, VersionSelect } from "../components/version-select.tsx";
import { ToolDocs, ToolUsage } from "../features/tools/tool-docs.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TabBar } from "../ui/tab-bar.tsx";
import { ProcessTests, StartRun } from "./tab-views.tsx";

const ToolComparison = onDemand(() => import("../features/tools/tool-comparison.tsx"), <Skeleton />);
const ToolSizing = onDemand(() => import("../features/tools/tool-sizing.tsx"), <Skeleton />);

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
          : { label: `Latest version of ${toolName}`, to: `/tool/${toolName}` }
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
            {isDeprecated && (
              <span className="rounded-full bg-canceled-soft px-2 py-0.5 text-small font-semibold text-canceled">
                Deprecated
              </span>
            )}
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
      <ToolTabs tool={tool} />
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
        onChange={(version) => void navigate(`/tool/${tool.id}/${version}${tab === null ? "" : `?tab=${tab}`}`)}
      />
      <ExportMenu
        name={`${tool.id}-${tool.version ?? ""}`}
        packed={tool.validation.status === "invalid" ? undefined : packedPath("tool", tool.id, tool.version)}
        sources={`/api/tools/${tool.id}/${tool.version ?? ""}/sources.zip`}
        page={`/tool/${tool.id}/${tool.version ?? ""}`}
      />
      <EditLink to={`/tool/${tool.id}/${tool.version ?? ""}/edit`} label="Edit" />
    </>
  );
}

function ToolTabs({ tool }: { readonly tool: Tool }) {
  return (
    <TabBar
      label="About this tool"
      tabs={[
        { id: "docs", label: "Description", content: <ToolDocs tool={tool} /> },
        {
          id: "io",
          label: "Inputs & outputs",
          content: <ParameterTables inputs={tool.inputs} outputs={tool.outputs} />,
        },
        { id: "try", label: "Try it", content: <TryTab tool={tool} /> },
        {
          id: "source",
          label: "Source",
          content: <SourceView source={tool.source} issues={tool.validation.issues} />,
        },
        {
          id: "tests",
          label: "Tests",
          content: (
            <ProcessTests
              process={{ kind: "tool", id: tool.id, version: tool.version }}
              isValid={tool.validation.status !== "invalid"}
            />
          ),
        },
        { id: "resources", label: "Resources", content: <ToolSizing tool={tool} /> },
        { id: "usage", label: "Used by", content: <ToolUsage usedBy={tool.used_by} /> },
        { id: "diff", label: "Versions", content: <ToolComparison tool={tool} /> },
        {
          id: "runs",
          label: "Runs",
          content: <RunList filter={{ tool: tool.id }} caption={`Runs of ${tool.id}`} showProcess={false} />,
        },
      ]}
    />
  );
}

function TryTab({ tool }: { readonly tool: Tool }) {
  if (tool.validation.status === "invalid")
    return <EmptyState text="Fix the errors of the document to run this tool." />;
  return <StartRun target={{ ...tool, kind: "tool", steps: [] }} />;
}
