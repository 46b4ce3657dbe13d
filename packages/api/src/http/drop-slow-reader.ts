import type { ServerResponse } from "node:http";
import { SLOW_READ_MS } from "./http-limits.ts";

/** Cuts off a client that takes nothing of its answer for so long: it would keep a file open as long as it likes. */
export function dropSlowReader(response: ServerResponse, idleMs = SLOW_READ_MS): void {
  response.setTimeout(idleMs, () => response.destroy());
}
