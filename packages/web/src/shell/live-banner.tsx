import type { LiveConnection } from "../api/live/live-connection.ts";
import { useNow } from "../ui/use-now.ts";
import { useConnectionStatus } from "./use-connection-status.ts";

const SHOWN_FROM_ATTEMPT = 3;

/** Warns that the page may be out of date once the connection has been lost for about three seconds. */
export function LiveBanner({ live }: { readonly live: LiveConnection }) {
  const status = useConnectionStatus(live);
  if (status.kind !== "waiting" || status.attempt < SHOWN_FROM_ATTEMPT) return null;
  return (
    <div role="status" className="border-b border-line bg-canceled-soft px-4 py-1.5 text-center text-canceled">
      Live updates paused – can't reach the server. <RetryCountdown retryAtMs={status.retryAtMs} />
    </div>
  );
}

function RetryCountdown({ retryAtMs }: { readonly retryAtMs: number }) {
  const seconds = Math.max(1, Math.ceil((retryAtMs - useNow()) / 1000));
  return (
    <span aria-hidden="true" className="tabular-nums">
      Retrying in {seconds} s.
    </span>
  );
}
