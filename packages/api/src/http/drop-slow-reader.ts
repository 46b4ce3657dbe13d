import type { ServerResponse } from "node:http";
import { SLOW_READ_MS } from "./http-limits.ts";

/** Disconnects a client that reads nothing for `idleMs`: otherwise it could keep a file open indefinitely. */
export function dropSlowReader(response: ServerResponse, idleMs = SLOW_READ_MS): void {
  response.setTimeout(idleMs, () => response.destroy());
}
