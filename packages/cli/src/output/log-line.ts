import type { Writable } from "node:stream";
import type { Log } from "@weft/engine/log.ts";

/** Writes one JSON object per line; JSON escapes control characters. */
export function createLog(stream: Writable): Log {
  return (level, message, fields = {}) => {
    stream.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
  };
}
