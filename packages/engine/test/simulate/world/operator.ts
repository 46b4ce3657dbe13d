import type { DatabaseSync } from "node:sqlite";
import { WORLD, type EventLoop } from "../machine/event-loop.ts";
import { runsOf } from "../../../src/testing/ask-runs.ts";
import { CALLER } from "./client.ts";
import type { Server } from "./server.ts";

const LOOK_MS = 30_000;

interface Operated {
  readonly loop: EventLoop;
  readonly database: () => DatabaseSync;
  /** Undefined while none serves. */
  readonly server: () => Server | undefined;
}

/** An operator who now and then resumes the runs that Weft has paused because servers crashed with them. */
export function operate({ loop, database, server }: Operated): void {
  const look = () => {
    const held = database().prepare(
      `SELECT run_id FROM runs WHERE state = 'PAUSED' AND reason ->> '$.code' = 'ENGINE'`,
    );
    const serving = server();
    // A request that fails is repeated at the next check.
    if (serving !== undefined)
      for (const { run_id: runId } of held.all())
        runsOf(serving)
          .resume(CALLER, String(runId))
          .catch(() => {});
    loop.after(LOOK_MS, look, WORLD);
  };
  loop.after(LOOK_MS, look, WORLD);
}
