import type { LinkedRun, RunLineage } from "@weft/shared/records/lineage-record.ts";
import { Link } from "react-router-dom";
import { shortRunId } from "../../components/run-paths.ts";
import { StateBadge } from "../../ui/state-badge.tsx";

/** The runs that this one was made from, and those that were made from it. */
export function LinkedRuns({ lineage }: { readonly lineage: RunLineage }) {
  const before = lineage.runs.filter(({ distance }) => distance < 0);
  const after = lineage.runs.filter(({ distance }) => distance > 0);
  const own = lineage.runs.find(({ distance }) => distance === 0);
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <RunColumn title="Made from" runs={before} lineage={lineage} empty="No run of this server has made its inputs." />
      <RunColumn title="Used by" runs={after} lineage={lineage} empty="No run has read its outputs since." />
      {own?.is_cut === true && <p className="text-soft">There are more runs beside these than are shown.</p>}
    </div>
  );
}

interface RunColumnProps {
  readonly title: string;
  readonly runs: readonly LinkedRun[];
  readonly lineage: RunLineage;
  readonly empty: string;
}

function RunColumn({ title, runs, lineage, empty }: RunColumnProps) {
  return (
    <section aria-label={title} className="card p-4">
      <h3 className="mb-2 font-semibold">{title}</h3>
      {runs.length === 0 && <p className="text-soft">{empty}</p>}
      <ul className="space-y-2">
        {runs.map((run) => (
          <li key={run.run_id} style={{ paddingLeft: (Math.abs(run.distance) - 1) * 20 }}>
            <LinkedRunLine run={run} lineage={lineage} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LinkedRunLine({ run, lineage }: { readonly run: LinkedRun; readonly lineage: RunLineage }) {
  const { run_id: runId, name, process, state, is_cut: isCut } = run;
  const links = lineage.links.filter(({ from, to }) => from === runId || to === runId);
  const files = links.reduce((sum, link) => sum + link.files, 0);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StateBadge state={state} />
      <Link className="link font-medium" to={`/prov?run=${runId}`} title={runId}>
        {name}
      </Link>
      <span className="text-soft">
        {process} {shortRunId(runId)}
      </span>
      <span className="text-soft">
        {links[0]?.name}
        {files > 1 && ` and ${files - 1} more`}
      </span>
      {isCut && <span className="text-soft">… and on beyond it</span>}
    </p>
  );
}
