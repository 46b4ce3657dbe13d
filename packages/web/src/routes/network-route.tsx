import { useQuery } from "@tanstack/react-query";
import { findGraphNode } from "@weft/shared/drawing/graph-node-path.ts";
import type { Network, StepRecord } from "@weft/shared/records/process-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import type { ReactNode } from "react";
import { useParams } from "react-router-dom";
import { ownUrl } from "../api/base-path.ts";
import { networkQuery } from "../api/queries/catalog-queries.ts";
import { useRights } from "../api/session-query.ts";
import { ValidityBadge } from "../components/badges.tsx";
import { DocText } from "../components/markdown/markdown-view.tsx";
import { ExportMenu, packedPath } from "../components/process/export-menu.tsx";
import { CannotRun } from "../components/process/issue-list.tsx";
import { EditLink, importedFacts } from "../components/process/process-link.tsx";
import { UpgradeNotice, VersionSelect } from "../components/process/version-select.tsx";
import { RecordPage } from "../components/record-page.tsx";
import { RunList } from "../components/run-list/run-list.tsx";
import { links } from "../format/links.ts";
import { valueText } from "../format/value-text.ts";
import { Button } from "../ui/button.tsx";
import { Code } from "../ui/code-block.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { useShortcuts } from "../ui/keyboard/use-shortcuts.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { TabBar, type TabEntry } from "../ui/tab-bar.tsx";
import { TimeAgo } from "../ui/time-text.tsx";
import { Facts, TitledSection, type Fact } from "../ui/titled-section.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { TextLink } from "../ui/text-link.tsx";
import { processTabs } from "./process-tabs.tsx";
import { GraphView } from "./tab-views.tsx";

const CRUMBS = [{ label: "Networks", to: "/networks" }];

/** `/network/:name?v=&tab=&step=&from=` */
export default function NetworkRoute() {
  const { name = "" } = useParams();
  const [version] = useSearchParam("v");
  const network = useQuery(networkQuery(name, version || undefined));
  return (
    <RecordPage query={network} noun="network" name={name} list={{ label: "All networks", to: "/networks" }}>
      {(data) => <NetworkPage network={data} />}
    </RecordPage>
  );
}

function NetworkPage({ network }: { readonly network: Network }) {
  return (
    <>
      <PageHeading
        title={network.label ?? network.id}
        documentTitle={`${network.id} - Networks`}
        crumbs={CRUMBS}
        aside={<ValidityBadge status={network.validation.status} />}
        actions={<NetworkActions network={network} />}
      />
      <NetworkIntro network={network} />
      <div className="mb-4 empty:hidden">
        <CannotRun noun="network" issues={network.validation.issues} />
      </div>
      {network.version !== null && (
        <UpgradeNotice used={{ kind: "network", id: network.id, version: network.version }} />
      )}
      <TabBar label="About this network" tabs={tabsOf(network)} />
    </>
  );
}

function NetworkActions({ network }: { readonly network: Network }) {
  const [, setVersion] = useSearchParam("v");
  const [tab, setTab] = useSearchParam("tab");
  const canRun = useRights().has("runner") && tab !== "run" && network.validation.status !== "invalid";
  useShortcuts({ run: canRun ? () => setTab("run") : undefined });
  return (
    <>
      {network.versions.length > 1 && (
        <VersionSelect
          label="Version"
          versions={network.versions}
          value={network.version ?? ""}
          onChange={setVersion}
        />
      )}
      <NetworkExport network={network} />
      <EditLink to={links.editNetwork(network)} label="Edit" />
      {canRun && (
        <Button look="primary" onClick={() => setTab("run")}>
          <Icon name="play" /> Run
        </Button>
      )}
    </>
  );
}

function NetworkExport({ network }: { readonly network: Network }) {
  const { id, version, validation } = network;
  return (
    <ExportMenu
      name={version === null ? id : `${id}-${version}`}
      packed={validation.status === "invalid" ? undefined : packedPath("network", id, version)}
      sources={`/api/networks/${id}/sources.zip?version=${encodeURIComponent(version ?? UNVERSIONED)}`}
      page={links.network(network)}
    />
  );
}

function tabsOf(network: Network): readonly [TabEntry, ...TabEntry[]] {
  const { id, version, digest, inputs, outputs, steps, examples } = network;
  const target = { kind: "network", id, version, digest, inputs, outputs, steps, examples } as const;
  const { run, io, source, tests } = processTabs(network, target);
  const runs = <RunList filter={{ network: id }} caption={`Runs of ${id}`} showProcess={false} />;
  return [
    { id: "graph", label: "Graph", content: <GraphTab network={network} /> },
    { id: "run", label: "Run", content: run },
    ...[io, source, tests],
    { id: "runs", label: "Runs", content: runs },
    { id: "info", label: "Info", content: <NetworkInfo network={network} /> },
  ];
}

function GraphTab({ network }: { readonly network: Network }) {
  const [step, setStep] = useSearchParam("step");
  if (network.graph.nodes.length === 0)
    return <EmptyState text="The document has errors and cannot be drawn. See the Source tab." />;
  return (
    <div className="space-y-3">
      {network.validation.status === "invalid" && <p className="text-soft">The graph may be incomplete.</p>}
      <GraphView
        key={network.digest}
        name={network.id}
        graph={network.graph}
        selected={step}
        onSelect={setStep}
        detail={<SelectedNode network={network} path={step} />}
      />
    </div>
  );
}

/** Identity, statistics and addresses of a network. */
function NetworkInfo({ network }: { readonly network: Network }) {
  const { stats } = network;
  const url = ownUrl(network.url);
  const identity: readonly Fact[] = [
    ["ID", network.id],
    ["Version", network.version ?? "unversioned"],
    ...importedFacts(network),
    ["CWL", network.cwl_version ?? "unknown"],
    ["Digest", <Code key="digest">{network.digest}</Code>],
    [
      "REST",
      <a key="rest" className="link code" href={url}>
        {url}
      </a>,
    ],
  ];
  const statistics: readonly Fact[] = [
    ["Runs", stats.runs],
    ["Last run", stats.last_run_at === null ? "never" : <TimeAgo key="last" time={stats.last_run_at} />],
    ["Typical duration", stats.median_duration_ms === null ? "–" : formatDuration(stats.median_duration_ms)],
  ];
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <TitledSection title="Document" card>
        <Facts facts={identity} />
        <div className="mt-3">
          <CopyButton label="Copy as curl" text={`curl -H 'Accept: application/cwl+json' '${location.origin}${url}'`} />
        </div>
      </TitledSection>
      <TitledSection title="Statistics" card>
        <Facts facts={statistics} />
      </TitledSection>
    </div>
  );
}

/** The id, and the description folded behind its first paragraph. */
function NetworkIntro({ network }: { readonly network: Network }) {
  const [first = "", ...rest] = (network.doc ?? "").trim().split(/\n\s*\n/);
  return (
    <div className="mb-4">
      <p className="code mb-1 text-soft">{network.id}</p>
      <DocText text={first} />
      {rest.length > 0 && (
        <details className="mt-1">
          <summary className="w-fit cursor-pointer text-soft hover:text-ink">More</summary>
          <div className="mt-2">
            <DocText text={rest.join("\n\n")} />
          </div>
        </details>
      )}
    </div>
  );
}

interface SelectedNodeProps {
  readonly network: Network;
  /** Path of the selected node within the graph. */
  readonly path: string;
}

/** Details of the selected node of a network's graph. */
function SelectedNode({ network, path }: SelectedNodeProps): ReactNode {
  const step = network.steps.find(({ id }) => id === path);
  if (step !== undefined) return <StepDetail step={step} />;
  const node = findGraphNode(network.graph, path);
  if (node === undefined) return <p className="text-soft">Select a step to see details.</p>;
  const declared = (node.kind === "input" ? network.inputs : network.outputs).find(
    ({ id }) => path === `${node.kind}:${id}`,
  );
  return (
    <TitledSection card title={node.label}>
      {declared?.doc !== undefined && <DocText text={declared.doc} />}
      <div className="mt-3">
        <Facts
          facts={[
            ["Kind", node.kind],
            node.type_text !== undefined && ["Type", <Code key="type">{node.type_text}</Code>],
            node.class !== undefined && ["Class", node.class],
          ]}
        />
      </div>
    </TitledSection>
  );
}

/** Details of one step of a network. */
function StepDetail({ step }: { readonly step: StepRecord }) {
  return (
    <TitledSection card title={step.label ?? step.id}>
      {step.doc !== undefined && <DocText text={step.doc} />}
      <div className="mt-3 grid gap-x-8 gap-y-4 md:grid-cols-2">
        <Facts facts={factsOf(step)} />
        <div className="space-y-4">
          <LinkList title="Inputs" links={step.in} />
          {step.loop !== undefined && <LinkList title="From the previous iteration" links={step.loop.inputs} />}
        </div>
      </div>
    </TitledSection>
  );
}

type StepLink = StepRecord["in"][number];

function LinkList({ title, links }: { readonly title: string; readonly links: readonly StepLink[] }) {
  return (
    <div>
      <h3 className="mb-1">{title}</h3>
      {links.length === 0 && <p className="text-soft">none</p>}
      <ul className="space-y-1">
        {links.map((link) => (
          <li key={link.id}>
            <span className="font-medium">{link.id}</span> <span className="text-soft">{sourceText(link)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Facts about a step in the order of evaluation: its condition, its repetitions and its outputs. */
function factsOf(step: StepRecord): readonly (Fact | false)[] {
  const method = step.scatter_method === undefined ? "" : ` (${step.scatter_method})`;
  return [
    ["Runs", <RunLink key="run" step={step} />],
    step.scatter.length > 0 && ["Scatter", `${step.scatter.join(", ")}${method}`],
    step.when !== undefined && ["Condition", <Code key="when">{step.when}</Code>],
    step.loop?.when !== undefined && ["Loop while", <Code key="while">{step.loop.when}</Code>],
    ["Outputs", outputsText(step)],
  ];
}

function outputsText({ out, loop }: StepRecord): string {
  if (out.length === 0) return "none";
  if (loop === undefined) return out.join(", ");
  return `${out.join(", ")} (${loop.output_method === "all" ? "a list from all iterations" : "from the last iteration"})`;
}

function RunLink({ step: { run } }: { readonly step: StepRecord }) {
  const text = [run.id ?? run.label ?? "inline process", run.version ?? ""].join(" ").trim();
  if (run.id === undefined || run.kind === "inline")
    return (
      <>
        {text} ({run.class})
      </>
    );
  return <TextLink to={links.process({ kind: run.kind, id: run.id, version: run.version })}>{text}</TextLink>;
}

function sourceText(input: StepLink): string {
  const parts: string[] = [];
  if (input.source.length > 0) parts.push(`← ${input.source.join(", ")}`);
  if (input.default !== undefined) parts.push(`default ${valueText(input.default)}`);
  if (input.value_from !== undefined) parts.push(`= ${input.value_from}`);
  return parts.join("; ");
}
