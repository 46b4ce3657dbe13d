import type { ServerInfo } from "@weft/shared/records/lineage-record.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { Link } from "react-router-dom";
import { ACTIVE_STATES, STATE_LOOKS } from "../../format/state-look.ts";
import { StateIcon, TONE_TEXT } from "../../ui/state-badge.tsx";
import { numberText } from "../../format/count-text.ts";

interface Counter {
  readonly label: string;
  readonly count: number;
  readonly state: RunState;
  readonly to: string;
}

/** Four numbers that show the state of the server; each links to its runs. */
export function CounterCards({ server }: { readonly server: ServerInfo }) {
  return (
    <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {countersOf(server).map((counter) => (
        <li key={counter.label}>
          <Link to={counter.to} className="card flex items-center gap-3 px-4 py-3 hover:border-edge">
            <span className={TONE_TEXT[STATE_LOOKS[counter.state].tone]}>
              <StateIcon state={counter.state} className="size-5" still={counter.count === 0} />
            </span>
            <span>
              <span className="block text-2xl leading-7 font-semibold tabular-nums">{numberText(counter.count)}</span>
              <span className="text-[0.8125rem] text-soft">{counter.label}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function countersOf({ run_counts, ended_last_24h }: ServerInfo): readonly Counter[] {
  const sum = (...states: readonly RunState[]): number =>
    states.reduce((total, state) => total + (run_counts[state] ?? 0), 0);
  return [
    { label: "Running", count: sum(...ACTIVE_STATES), state: "RUNNING", to: "/runs?state=running" },
    { label: "Queued", count: sum("QUEUED"), state: "QUEUED", to: "/runs?state=queued" },
    {
      label: "Failed, last 24 h",
      count: ended_last_24h.failure + ended_last_24h.partial,
      state: "EXECUTOR_ERROR",
      to: "/runs?state=failed",
    },
    { label: "Succeeded, last 24 h", count: ended_last_24h.success, state: "COMPLETE", to: "/runs?state=succeeded" },
  ];
}
