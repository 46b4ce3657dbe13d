import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo } from "react";
import { Link } from "react-router-dom";
import { comparisonQuery } from "../../api/lineage-queries.ts";
import { runQuery } from "../../api/run-queries.ts";
import { VerdictView } from "../../components/verdict-view.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { compareRuns, SECTIONS, type ComparedThing } from "./compare-runs.ts";

/** More rows of a section are not drawn. */
const SHOWN = 500;

export interface RunComparisonProps {
  readonly first: string;
  readonly second: string;
}

/** Two runs side by side: what differs, or everything. */
export default function RunComparison({ first, second }: RunComparisonProps) {
  const a = useQuery(runQuery(first));
  const b = useQuery(runQuery(second));
  return (
    <QueryView query={a}>
      {(left) => <QueryView query={b}>{(right) => <Comparison a={left} b={right} />}</QueryView>}
    </QueryView>
  );
}

function Comparison({ a, b }: { readonly a: Run; readonly b: Run }) {
  const [all, setAll] = useSearchParam("all");
  const things = useMemo(() => compareRuns(a, b), [a, b]);
  const different = things.filter(({ isSame }) => !isSame);
  const shown = all === "" ? different : things;
  return (
    <div className="space-y-5">
      <div className="grid gap-3 md:grid-cols-2">
        <RunCard mark="A" run={a} />
        <RunCard mark="B" run={b} />
      </div>
      {a.end_time !== null && b.end_time !== null && <RunVerdict first={a.run_id} second={b.run_id} />}
      <div className="flex flex-wrap items-center gap-4">
        <p role="status">
          {different.length === 0 ? "Nothing differs" : `${different.length} of ${things.length} things differ`}.
        </p>
        <label className="flex cursor-pointer items-center gap-2 max-md:min-h-11">
          <input
            type="checkbox"
            className="accent-accent"
            checked={all !== ""}
            onChange={(event) => setAll(event.target.checked ? "1" : "")}
          />
          Show what is the same too
        </label>
        <Link className="btn ml-auto" to={`/runs?compare=${b.run_id},${a.run_id}`}>
          Swap A and B
        </Link>
      </div>
      {shown.length === 0 && <EmptyState text="Both runs have the same process, options, inputs, outputs and steps." />}
      {SECTIONS.map((section) => {
        const own = shown.filter((thing) => thing.section === section);
        return own.length > 0 && <ComparedSection key={section} title={section} things={own} />;
      })}
    </div>
  );
}

/** What came of the two: by content, with the step where they parted. */
function RunVerdict({ first, second }: { readonly first: string; readonly second: string }) {
  const comparison = useQuery(comparisonQuery(first, second));
  return (
    <TitledSection title="Verdict" card>
      <QueryView query={comparison} rows={2}>
        {(verdict) => <VerdictView verdict={verdict} runId={second} />}
      </QueryView>
    </TitledSection>
  );
}

function RunCard({ mark, run }: { readonly mark: string; readonly run: Run }) {
  return (
    <div className="card flex flex-wrap items-center gap-3 px-4 py-3">
      <span className="text-lg font-bold">{mark}</span>
      <StateBadge state={run.state} />
      <Link className="link min-w-0 font-medium wrap-anywhere" to={`/run/${run.run_id}`}>
        {run.name}
      </Link>
      <span className="ml-auto text-soft">
        <TimeAgo time={run.start_time ?? run.created_at} />
      </span>
    </div>
  );
}

const COLUMNS = [{ label: "What" }, { label: "A" }, { label: "B" }, { label: "Result" }];

function ComparedSection({ title, things }: { readonly title: string; readonly things: readonly ComparedThing[] }) {
  return (
    <TitledSection title={title}>
      <DataTable caption={title} columns={COLUMNS}>
        {things.slice(0, SHOWN).map(({ name, sides, isSame }) => (
          <tr key={name} className={isSame ? "" : "bg-canceled-soft"}>
            <td data-label="What" className="font-medium wrap-anywhere">
              {name}
            </td>
            <td data-label="A" className="code wrap-anywhere">
              {sides[0] ?? <span className="text-soft">none</span>}
            </td>
            <td data-label="B" className="code wrap-anywhere">
              {sides[1] ?? <span className="text-soft">none</span>}
            </td>
            <td data-label="Result">{isSame ? "same" : "differs"}</td>
          </tr>
        ))}
      </DataTable>
      {things.length > SHOWN && (
        <p className="mt-2 text-soft">
          {SHOWN} of {things.length} are shown.
        </p>
      )}
    </TitledSection>
  );
}
