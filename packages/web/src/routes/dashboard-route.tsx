import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ServerInfo } from "@weft/shared/records/lineage-record.ts";
import type { NetworkSummary } from "@weft/shared/records/process-record.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { type ReactNode } from "react";
import { Link } from "react-router-dom";
import { networkListQuery } from "../api/queries/catalog-queries.ts";
import { runListQuery, type RunPage } from "../api/queries/run-queries.ts";
import { serverQuery } from "../api/session-query.ts";
import { FreeSpaceButton } from "../components/free-space/free-space-button.tsx";
import { CatalogName, RunNetworkLink } from "../components/process/process-link.tsx";
import { RunTable, SucceededJobs } from "../components/run-list/run-table.tsx";
import { TimeLeft } from "../components/run/time-left.tsx";
import { formatBytes } from "../format/format-bytes.ts";
import { ACTIVE_STATES, OPEN_STATES, STATE_LOOKS, countIn } from "../format/state-look.ts";
import { JobProgressBar } from "../ui/job-progress-bar.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StateBadge, StateIcon, TONES } from "../ui/state-badge.tsx";
import { DurationText } from "../ui/time-text.tsx";
import { TitledSection } from "../ui/titled-section.tsx";

const SHOWN = 6;

/** `/`: current and recent activity on this server. All parts appear together, so that none moves another. */
export function DashboardRoute() {
  const server = useQuery(serverQuery());
  const networks = useQuery(networkListQuery(""));
  const open = useQuery(runListQuery({ state: OPEN_STATES.join(","), page_size: 20 }));
  const last = useQuery(runListQuery({ page_size: 10 }));
  const isRead = [server, networks, open, last].every(({ isPending }) => !isPending);
  return (
    <>
      <PageHeading title="Dashboard" />
      {isRead ? (
        <div className="space-y-5">
          <QueryView query={server}>{(data) => <CounterCards server={data} />}</QueryView>
          <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
            <RunPanels open={open} last={last} />
            <aside aria-label="Networks and machine" className="grid gap-5 md:grid-cols-2 xl:grid-cols-1">
              <QueryView query={networks}>{(data) => <NetworkShortcuts networks={data.networks} />}</QueryView>
              {server.data !== undefined && <SystemStrip server={server.data} />}
            </aside>
          </div>
        </div>
      ) : (
        <Skeleton rows={16} />
      )}
    </>
  );
}

interface RunPanelsProps {
  readonly open: UseQueryResult<RunPage>;
  readonly last: UseQueryResult<RunPage>;
}

function RunPanels({ open, last }: RunPanelsProps) {
  if (last.data?.runs.length === 0) return <FirstUseCard />;
  return (
    <div className="min-w-0 space-y-5">
      <QueryView query={open}>{(data) => <RunningNow runs={data.runs} />}</QueryView>
      <TitledSection title="Recent runs" aside={<AllLink to="/runs">All runs</AllLink>}>
        <QueryView query={last}>{(data) => <RunTable runs={data.runs} caption="10 most recent runs" />}</QueryView>
      </TitledSection>
    </div>
  );
}

function AllLink(props: { readonly to: string; readonly children: string }) {
  return <Link className="link text-small" {...props} />;
}

/** Four numbers that show the state of the server; each links to its runs. */
function CounterCards({ server }: { readonly server: ServerInfo }) {
  return (
    <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {countersOf(server).map((counter) => (
        <li key={counter.label}>
          <Link to={counter.to} className="card flex items-center gap-3 px-4 py-3 hover:border-edge">
            <span className={TONES[STATE_LOOKS[counter.state].tone].text}>
              <StateIcon state={counter.state} className="size-5" still={counter.count === 0} />
            </span>
            <span>
              <span className="block text-2xl leading-7 font-semibold tabular-nums">{numberText(counter.count)}</span>
              <span className="text-small text-soft">{counter.label}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function countersOf({ run_counts, ended_last_24h }: ServerInfo) {
  return [
    { label: "Running", count: countIn(run_counts, ACTIVE_STATES), state: "RUNNING", to: "/runs?state=running" },
    { label: "Queued", count: run_counts.QUEUED ?? 0, state: "QUEUED", to: "/runs?state=queued" },
    {
      label: "Failed, last 24 h",
      count: ended_last_24h.failure + ended_last_24h.partial,
      state: "EXECUTOR_ERROR",
      to: "/runs?state=failed",
    },
    { label: "Succeeded, last 24 h", count: ended_last_24h.success, state: "COMPLETE", to: "/runs?state=succeeded" },
  ] as const;
}

const STEPS = [
  {
    title: "Choose a network",
    text: "A network is a graph of command-line tools. Weft ships with some, each with a ready-to-run example.",
    to: "/networks",
    link: "Browse networks",
  },
  {
    title: "Start a run",
    text: 'Fill in the inputs, or click "Use example".',
    to: "/doc/how-to/run-a-network",
    link: "How to run",
  },
  {
    title: "Follow it live",
    text: "See the command line, log and files of each job while it runs.",
    to: "/doc/how-to/watch-a-run",
    link: "Tour of the run page",
  },
] as const;

/** The view of an empty installation instead of empty tables. */
function FirstUseCard() {
  return (
    <section aria-labelledby="start-title" className="card p-6">
      <h2 id="start-title" className="text-lg">
        Welcome to Weft. Start your first run.
      </h2>
      <ol className="mt-4 grid gap-4 md:grid-cols-3">
        {STEPS.map((step, index) => (
          <li key={step.title} className="flex gap-3">
            <span
              aria-hidden="true"
              className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent"
            >
              {index + 1}
            </span>
            <div>
              <h3>{step.title}</h3>
              <p className="mt-0.5 text-soft">{step.text}</p>
              <Link className="link mt-1 inline-block" to={step.to}>
                {step.link}
              </Link>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The networks used last, or the first ones, each one click from its form. */
function NetworkShortcuts({ networks }: { readonly networks: readonly NetworkSummary[] }) {
  return (
    <TitledSection card title="Networks" aside={<AllLink to="/networks">All networks</AllLink>}>
      {networks.length === 0 && <p className="text-soft">The catalog has no networks.</p>}
      <ul className="-mx-2">
        {latestFirst(networks)
          .slice(0, SHOWN)
          .map((network) => (
            <li key={network.id} className="flex items-center gap-2 rounded-lg px-2 py-1.5 hover:bg-sunken">
              <div className="min-w-0 flex-1">
                <CatalogName
                  to={`/network/${network.id}`}
                  id={network.id}
                  label={network.label}
                  more={countText(network.step_count, "step")}
                />
              </div>
              <RunNetworkLink id={network.id} />
            </li>
          ))}
      </ul>
    </TitledSection>
  );
}

function latestFirst(networks: readonly NetworkSummary[]): readonly NetworkSummary[] {
  return networks
    .filter((network) => network.validation_status !== "invalid")
    .sort((a, b) => (b.stats.last_run_at ?? "").localeCompare(a.stats.last_run_at ?? ""));
}

/** Running runs with live progress. */
function RunningNow({ runs }: { readonly runs: readonly RunSummary[] }) {
  return (
    <TitledSection title="Running now">
      {runs.length === 0 ? (
        <Notice>Nothing is running. Pick a network to start one.</Notice>
      ) : (
        <ul className="grid gap-3 md:grid-cols-2">
          {runs.map((run) => (
            <RunningCard key={run.run_id} run={run} />
          ))}
        </ul>
      )}
    </TitledSection>
  );
}

function RunningCard({ run }: { readonly run: RunSummary }) {
  return (
    <li className="card p-4">
      <div className="flex items-start justify-between gap-2">
        <Link className="link min-w-0 font-medium wrap-anywhere" to={`/run/${run.run_id}`}>
          {run.name}
        </Link>
        <StateBadge state={run.state} />
      </div>
      <JobProgressBar counts={run.job_counts} total={run.progress.jobs_total} className="mt-3 h-2" />
      <div className="mt-1.5 flex flex-wrap justify-between gap-x-3 text-small text-soft tabular-nums">
        <SucceededJobs run={run} />
        <TimeLeft run={run} />
        <DurationText start={run.start_time} end={run.end_time} durationMs={run.duration_ms} />
      </div>
    </li>
  );
}

/** Current use of the machine: cores and memory count as used once they are reserved for running jobs. */
function SystemStrip({ server }: { readonly server: ServerInfo }) {
  return (
    <TitledSection
      card
      title="This machine"
      aside={
        <div className="flex items-center gap-3">
          <Link className="link text-small" to="/server">
            Details
          </Link>
          <FreeSpaceButton />
        </div>
      }
    >
      <dl className="space-y-3">
        <Gauge
          label="Cores"
          used={server.cores_busy}
          total={server.cores}
          text={(value) => String(Math.round(value * 10) / 10)}
        />
        <Gauge label="Memory" used={server.ram_busy_bytes} total={server.ram_bytes} text={formatBytes} />
        <Gauge
          label="Disk"
          used={server.disk_bytes - server.disk_free_bytes}
          total={server.disk_bytes}
          text={formatBytes}
        />
        <Line label="Disk used by finished runs">{formatBytes(runsBytes(server))}</Line>
        <Line label="Jobs running">{server.jobs_running}</Line>
        <Line label="Jobs waiting">{server.jobs_waiting}</Line>
        <Line label="Version">{server.version}</Line>
      </dl>
    </TitledSection>
  );
}

function runsBytes({ runs_storage_bytes: { outputs, intermediate, logs } }: ServerInfo): number {
  return outputs + intermediate + logs;
}

interface GaugeProps {
  readonly label: string;
  readonly used: number;
  readonly total: number;
  readonly text: (value: number) => string;
}

function Gauge({ label, used, total, text }: GaugeProps) {
  const percent = total === 0 ? 0 : Math.min(100, (used / total) * 100);
  return (
    <div>
      <dt className="flex justify-between gap-2 text-soft">
        {label}
        <span className="text-ink tabular-nums">
          {text(used)} of {text(total)}
        </span>
      </dt>
      <dd className="mt-1 h-1.5 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-300"
          style={{ width: `${percent}%` }}
        />
      </dd>
    </div>
  );
}

function Line({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex justify-between gap-2">
      <dt className="text-soft">{label}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
