import type { LinkedRun, RunLineage } from "@weft/shared/records/lineage-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { links } from "../../format/links.ts";
import { Select } from "../../ui/field.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { NameLink } from "../../ui/text-link.tsx";

const DEPTHS = ["1", "2", "3", "5"].map((id) => ({ id, label: id }));

/** The upstream and downstream runs of a run. */
export function LinkedRuns({ lineage }: { readonly lineage: RunLineage }) {
  const [depth, setDepth] = useSearchParam("depth");
  const before = lineage.runs.filter(({ distance }) => distance < 0);
  const after = lineage.runs.filter(({ distance }) => distance > 0);
  const own = lineage.runs.find(({ distance }) => distance === 0);
  return (
    <section aria-label="Related runs">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2>Related runs</h2>
        <label className="flex items-center gap-2 text-small">
          Steps away
          <Select className="w-auto" value={depth || "1"} options={DEPTHS} onChoose={setDepth} />
        </label>
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <RunColumn
          title="Upstream runs"
          runs={before}
          lineage={lineage}
          empty="None: it used no output of a run on this server."
          sameContent="wrote files with the same content. This run did not use those files."
        />
        <RunColumn
          title="Downstream runs"
          runs={after}
          lineage={lineage}
          empty="None: no run on this server used its outputs."
          sameContent="received files with the same content, but not from this run."
        />
      </div>
      {own?.is_cut === true && <p className="mt-2 text-soft">There are more related runs than are shown.</p>}
    </section>
  );
}

interface RunColumnProps {
  readonly title: string;
  readonly runs: readonly LinkedRun[];
  readonly lineage: RunLineage;
  readonly empty: string;
  /** A note about runs that only have equal contents. */
  readonly sameContent: string;
}

function RunColumn({ title, runs, lineage, empty, sameContent }: RunColumnProps) {
  const linked = runs.filter(({ by }) => by === "location");
  const equal = runs.filter(({ by }) => by === "content");
  return (
    <section aria-label={title} className="card p-3">
      <h3 className="mb-1 font-semibold">{title}</h3>
      {linked.length === 0 ? (
        <p className="text-soft">{empty}</p>
      ) : (
        <RunLines title={title} runs={linked} lineage={lineage} />
      )}
      {equal.length > 0 && (
        <details className="mt-2" open={linked.length === 0}>
          <summary className="cursor-pointer text-soft">
            Same content: {countText(equal.length, "other run")} {sameContent}
          </summary>
          <RunLines title={`${title}: same content`} runs={equal} lineage={lineage} />
        </details>
      )}
    </section>
  );
}

function RunLines({ title, runs, lineage }: Pick<RunColumnProps, "title" | "runs" | "lineage">) {
  return (
    <ul aria-label={title} tabIndex={0} className="max-h-44 space-y-2 overflow-auto">
      {runs.map((run) => (
        <li key={run.run_id} style={{ paddingLeft: (Math.abs(run.distance) - 1) * 20 }}>
          <LinkedRunLine run={run} lineage={lineage} />
        </li>
      ))}
    </ul>
  );
}

function LinkedRunLine({ run, lineage }: { readonly run: LinkedRun; readonly lineage: RunLineage }) {
  const { run_id: runId, name, process, state, is_cut: isCut } = run;
  const passed = lineage.links.filter(({ from, to, by }) => by === run.by && (from === runId || to === runId));
  const files = passed.reduce((sum, link) => sum + link.files, 0);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StateBadge state={state} />
      <NameLink to={links.run(runId, { tab: "prov" })} title={runId}>
        {name}
      </NameLink>
      <span className="text-soft">{process}</span>
      <span className="text-soft">
        {passed[0]?.name}
        {files > 1 && ` and ${files - 1} more`}
      </span>
      <span className="text-soft">
        <TimeAgo time={run.created_at} />
      </span>
      {isCut && <span className="text-soft">… and more runs beyond it</span>}
    </p>
  );
}
