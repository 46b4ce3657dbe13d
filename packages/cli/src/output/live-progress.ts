import type { RunView } from "@weft/engine/document/run-document.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { LiveView } from "./live-view.ts";
import type { Terminal } from "./live-view.ts";
import { createProgressLog } from "./progress-log.ts";

/** Follows a run for the person who started it. */
export interface Progress {
  readonly onEvents: (events: readonly WeftEvent[], view: RunView) => void;
  /** Resolves when everything has been written. */
  readonly finish: () => Promise<void>;
}

interface LiveOptions {
  readonly hasColor: boolean;
  readonly nowMs: () => number;
}

/** A live view of the run. Retries and downloads are lines above it; failures follow it. */
export function createLiveProgress(terminal: Terminal, options: LiveOptions): Progress {
  let view: LiveView | undefined;
  let closed = Promise.resolve();
  const lines: string[] = [];
  const failures = createProgressLog((line) => lines.push(line), "quiet");
  return {
    onEvents: (events, run) => {
      view ??= new LiveView(terminal, { ...options, look: () => run.look() });
      view.start();
      for (const event of events) {
        const line = notable(event);
        if (line !== undefined) view.log(line);
        // The state must be read now: the log closes with the run.
        if (event.type === "run.ended") closed = view.close();
      }
      failures(events, run);
    },
    finish: async () => {
      await closed;
      for (const line of lines) terminal.write(`${line}\n`);
    },
  };
}

/** Events that the view itself does not show. */
function notable(event: WeftEvent): string | undefined {
  if (event.type === "job.retrying") return `${event.job_id} ${event.data.waiting.message}`;
  if (event.type === "job.image") return `${event.job_id} waits for the container image ${event.data.image}`;
  return event.type === "run.fetching" || event.type === "job.fetching" ? event.data.reason.message : undefined;
}
