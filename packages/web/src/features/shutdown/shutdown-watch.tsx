import { useQuery } from "@tanstack/react-query";
import { serverAnswers } from "../../api/server-answers.ts";
import type { ShutdownMode } from "../../api/shut-down.ts";
import { OPEN_STATES } from "../../format/state-look.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { runListQuery } from "../../api/run-queries.ts";

const POLL_MS = 2000;

/** Waits for the server to go, says when it is gone and offers to reload when it is back. */
export function ShutdownWatch({ mode }: { readonly mode: ShutdownMode }) {
  const alive = useQuery({
    queryKey: ["server-answers"],
    queryFn: async () => ({ isUp: await serverAnswers(), at: new Date().toISOString() }),
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
          <p className="mt-1 text-soft">
            Seen gone at {formatDateTime(alive.data.at)}. Start it again with “weft serve” or “npm start”, then reload
            this page.
          </p>
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
  if (count === 0) return "No run is open any more.";
  if (mode === "detach") return `${count} open ${count === 1 ? "run goes" : "runs go"} on without the server.`;
  return `${count} ${count === 1 ? "run is" : "runs are"} still open.`;
}
