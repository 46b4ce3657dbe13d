import { LOG_FEATURES } from "../../../src/app/features.ts";
import { JournalWriter } from "../../../src/journal/journal-writer.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { createLogReader } from "../../../src/journal/log-reader.ts";
import { LogWriter } from "../../../src/journal/log-writer.ts";
import type { Timer } from "../machine/event-loop.ts";
import type { Machine } from "../machine/machine.ts";
import type { SimulatedDatabase } from "./simulated-database.ts";

/**
 * The log with its thread, except that the thread is simulated: messages take a while in both directions, in order, and
 * are lost when the process ends.
 */
export async function openSimulatedJournal(
  machine: Machine,
  simulated: SimulatedDatabase,
  onCommit: () => void,
): Promise<Journal> {
  const { loop, process, decisions } = machine;
  let commits = 0;
  let timer: Timer | undefined;
  const delayMs = (way: string) => decisions.fraction(way) * 0.3;
  const inOrder = () => {
    let lastMs = 0;
    return (act: () => void, way: string) => {
      lastMs = Math.max(lastMs, loop.nowMs + delayMs(way));
      loop.after(lastMs - loop.nowMs, act, process);
    };
  };
  const [ask, answer] = [inOrder(), inOrder()];
  const ended = Promise.withResolvers<void>();
  const journal = new JournalWriter(
    {
      post: (request) => {
        machine.enter();
        ask(() => {
          if (request !== "close") return thread.receive(request);
          thread.close();
          if (timer !== undefined) timer.isCanceled = true;
          loop.after(0, () => ended.resolve(), process);
        }, "log.ask");
      },
      ended: ended.promise,
    },
    () => loop.nowMs,
  );
  const thread = new LogWriter({
    db: simulated.database,
    features: LOG_FEATURES,
    sources: { wallMs: () => machine.wallMs, steadyMs: () => loop.nowMs, uptimeMs: () => loop.nowMs },
    ballast: simulated.ballast,
    probe: () => (machine.volume.isFull ? "ENOSPC" : undefined),
    tell: (message) => answer(() => journal.receive(message), "log.answer"),
    committed: () => {
      commits += 1;
      onCommit();
    },
    later: (ms, act) => {
      if (timer !== undefined) timer.isCanceled = true;
      timer = loop.after(ms, act, process);
    },
    soon: (act) => loop.after(0, act, process),
  });
  await journal.ready;
  return journal.open(createLogReader(simulated.database, () => commits, LOG_FEATURES));
}
