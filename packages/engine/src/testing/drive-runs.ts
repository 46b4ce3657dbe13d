import assert from "node:assert/strict";
import { createLinks } from "@weft/shared/links.ts";
import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import type { CreateRun, RetryRun, Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Caller } from "../port/caller.ts";
import type { Engine } from "../port/engine.ts";
import { requirePlainWords } from "./require-plain-words.ts";

type Running = Pick<Engine, "runs">;

/** The caller in tests: sees every run and may change it. */
export const caller: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "changeable" };

/** The id of a run of `owner`: it is recorded, and may not have begun. Refuses as the engine does. */
export async function startRun({ runs }: Running, body: CreateRun, owner = caller): Promise<string> {
  return (await runs.create(owner, { body, idempotencyKey: undefined })).run.run_id;
}

/** Waits until a run, as `caller` sees it, meets `isSo`; checks now and after every change of the run. */
export async function untilRun(
  { runs }: Running,
  runId: string,
  isSo: (run: Run) => boolean | Promise<boolean>,
): Promise<Run> {
  const never = new AbortController().signal;
  for (;;) {
    const run = runs.get(caller, runId);
    requirePlainWords(run.state_reason?.message ?? "");
    if (await isSo(run)) return run;
    await runs.waitForChange(caller, runId, { revision: run.revision, timeoutMs: 10_000, signal: never });
  }
}

/** The run in its final state. */
export function endedRun(engine: Running, runId: string): Promise<Run> {
  return untilRun(engine, runId, ({ state }) => isFinal(state));
}

export async function runToEnd(engine: Running, body: CreateRun, owner = caller): Promise<Run> {
  return endedRun(engine, await startRun(engine, body, owner));
}

/** The new run, which may not have begun. */
export async function retryRun({ runs }: Running, runId: string, body: RetryRun = {}, owner = caller): Promise<Run> {
  return (await runs.retry(owner, runId, { body, idempotencyKey: undefined })).run;
}

/** The verdict about a run that reproduces another one. */
export async function verdictOf(engine: Running, runId: string): Promise<Verdict> {
  const { reproduction } = await untilRun(engine, runId, (run) => run.reproduction?.verdict != null);
  return reproduction?.verdict ?? assert.fail();
}

/** Waits until `isSo`; checks now and after every event. */
export async function untilEvent(
  { events }: Pick<Engine, "events">,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  for (;;) {
    const changed = Promise.withResolvers<void>();
    const stop = events.subscribe(() => changed.resolve());
    const isOver = await isSo();
    if (!isOver) await changed.promise;
    stop();
    if (isOver) return;
  }
}
