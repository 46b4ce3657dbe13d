import { useQuery } from "@tanstack/react-query";
import { serverAnswers } from "../../api/server-answers.ts";
import type { ShutdownMode } from "../../api/shut-down.ts";
import { countText } from "../../format/count-text.ts";
import { OPEN_STATES } from "../../format/state-look.ts";
import { runListQuery } from "../../api/run-queries.ts";

const POLL_MS = 2000;

/** Waits until the server has stopped, then offers to reload the page. */
export function ShutdownWatch({ mode }: { readonly mode: ShutdownMode }) {
  const alive = useQuery({
    queryKey: ["server-answers"],
    queryFn: async () => ({ isUp: await serverAnswers() }),
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
  });
  const open = useQuery({ ...runListQuery({ states: OPEN_STATES, pageSize: 50 }), enabled: alive.data?.isUp === true });
  const count = open.data?.runs.length ?? 0;
  return (
    <div role="status" className="card p-5">
      {alive.data?.isUp === false ? (
        <>
          <h2>The server has stopped.</h2>
          <p className="mt-1 text-soft">Start it again with “weft serve” or “npm start”, then reload this page.</p>
          <button type="button" className="btn mt-3" onClick={() => location.reload()}>
            Reload
          </button>
        </>
      ) : (
        <>
          <h2>{mode === "drain" ? "Draining" : "Stopping"}…</h2>
          <p className="mt-1 text-soft">{openText(mode, count)}</p>
        </>
      )}
    </div>
  );
}

function openText(mode: ShutdownMode, count: number): string {
  if (count === 0) return "No runs in progress.";
  if (mode === "detach") return `${countText(count, "run")} will continue without the server.`;
  return `${countText(count, "run")} in progress.`;
}
