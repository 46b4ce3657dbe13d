import type { EngineOperations } from "@weft/engine/port/engine.ts";

/** A server without jobs. */
export function fakeOperations(): EngineOperations {
  return {
    queue: () => ({ runs: [], jobs_hidden: 0, total: 0, next_page_token: "" }),
    load: async (_caller, hours) => ({
      from: "2026-11-21T02:02:14.617Z",
      interval_ms: hours * 30_000,
      cores: 2,
      ram_bytes: 1024,
      truncated: false,
      jobs: [],
      host: [],
    }),
    backends: () => ({ backends: [] }),
    disk: async () => ({ processes: [], runs: [], total: 0, next_page_token: "" }),
  };
}
