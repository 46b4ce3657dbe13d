import { useSyncExternalStore } from "react";
import type { ConnectionStatus } from "../api/live/event-socket.ts";
import type { LiveConnection } from "../api/live/live-connection.ts";

export function useConnectionStatus(live: LiveConnection): ConnectionStatus {
  return useSyncExternalStore(live.subscribe, live.status);
}

/** Attempts after which the connection counts as lost rather than interrupted. */
export const OFFLINE_AFTER_ATTEMPTS = 4;
