import { useQuery } from "@tanstack/react-query";
import { serverQuery } from "../../api/server-query.ts";
import { RUN_STATE_NAMES } from "../../format/state-look.ts";
import { RUN_STATE_TABS, type RunStateTab } from "../run-state-tabs.ts";
import { numberText } from "../../format/count-text.ts";

export interface RunStateFilterProps {
  readonly chosen: RunStateTab;
  readonly onChoose: (id: string) => void;
  /** Counts cover all runs of the server, so they would mislead next to another filter. */
  readonly counted: boolean;
}

/** Groups of states to select, with the current number of runs in each. */
export function RunStateFilter({ chosen, onChoose, counted }: RunStateFilterProps) {
  const { data } = useQuery(serverQuery());
  const count = ({ states }: RunStateTab): number =>
    (states ?? RUN_STATE_NAMES).reduce((sum, state) => sum + (data?.run_counts[state] ?? 0), 0);
  return (
    <div
      role="group"
      aria-label="Filter by state"
      className="flex max-w-full overflow-x-auto rounded-lg border border-line bg-surface p-0.5"
    >
      {RUN_STATE_TABS.map((tab) => (
        <button
          key={tab.id}
          type="button"
          aria-pressed={tab === chosen}
          className="min-h-7 rounded-md px-2.5 font-medium whitespace-nowrap text-soft -outline-offset-2 hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:min-h-10"
          onClick={() => onChoose(tab.id)}
        >
          {tab.label}
          {counted && data !== undefined && (
            <span className="ml-1.5 text-[0.8125rem] tabular-nums">{numberText(count(tab))}</span>
          )}
        </button>
      ))}
    </div>
  );
}
