import { useQueryClient } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { type ReactNode } from "react";
import { momentQuery, runAt } from "../../../api/jobs-at.ts";
import { useAllJobs, useMoment } from "../../../components/use-moment.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";

const TimeMachine = onDemand(() => import("./time-machine.tsx"), <div className="mb-3 h-16" />);

interface AsOfProps {
  readonly run: Run;
  readonly children: (run: Run) => ReactNode;
}

/** Shows a run at the moment in the URL, with a slider to change it; without one, the current state. */
export function AsOf({ run, children }: AsOfProps) {
  const { isPast } = useMoment(run.run_id);
  return isPast ? <Past run={run}>{children}</Past> : children(run);
}

function Past({ run, children }: AsOfProps) {
  const { atMs } = useMoment(run.run_id);
  const jobs = useAllJobs(run);
  return (
    <>
      <TimeMachine run={run} />
      <QueryView query={jobs}>{(data) => children(atMs === undefined ? run : runAt(run, data.jobs, atMs))}</QueryView>
    </>
  );
}

/** Opens the time machine at the newest event. Imported runs have no events here. */
export function TimeMachineButton({ run }: { readonly run: Run }) {
  const cache = useQueryClient();
  const { isPast } = useMoment(run.run_id);
  const [, setAt] = useSearchParam("at");
  if (run.imported !== undefined) return null;
  const open = async (): Promise<void> => setAt(String((await cache.fetchQuery(momentQuery(run.run_id, {}))).seq));
  return (
    <Button look="quiet" small aria-pressed={isPast} onClick={() => (isPast ? setAt("") : void open())}>
      <Icon name="clock" /> Time machine
    </Button>
  );
}
