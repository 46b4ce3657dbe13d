import type { Writable } from "node:stream";
import type { Log } from "@weft/engine/log.ts";

/** One JSON object per line, with control characters escaped by JSON itself. */
export function createLog(stream: Writable): Log {
  return (level, message, fields = {}) => {
    stream.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
  };
}
