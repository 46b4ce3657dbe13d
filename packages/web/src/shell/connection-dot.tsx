import type { ConnectionStatus } from "../api/live/event-socket.ts";
import type { LiveConnection } from "../api/live/live-connection.ts";
import { OFFLINE_AFTER_ATTEMPTS, useConnectionStatus } from "./use-connection-status.ts";

interface Look {
  readonly word: string;
  readonly dot: string;
  readonly title: string;
}

/** Whether the page currently receives live updates. */
export function ConnectionDot({ live }: { readonly live: LiveConnection }) {
  const look = lookOf(useConnectionStatus(live));
  return (
    <span title={look.title} className="flex items-center gap-1.5 px-1.5 text-[0.8125rem] text-soft">
      <span aria-hidden="true" className={`size-2 rounded-full ${look.dot}`} />
      <span className="max-sm:sr-only">{look.word}</span>
    </span>
  );
}

function lookOf(status: ConnectionStatus): Look {
  switch (status.kind) {
    case "live":
      return { word: "Live", dot: "bg-success", title: "Connected – updates appear live" };
    case "connecting":
      return { word: "Connecting", dot: "bg-edge", title: "Connecting to the event stream" };
    case "waiting":
      return status.attempt >= OFFLINE_AFTER_ATTEMPTS
        ? { word: "Offline", dot: "bg-failed", title: "Server not responding – retrying" }
        : { word: "Reconnecting", dot: "bg-canceled pulse", title: "Connection lost – retrying" };
  }
}
