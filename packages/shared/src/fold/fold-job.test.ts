import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EventData } from "../events/event.ts";
import { closeJob, foldJob, QUEUED_JOB, type FoldedJobEvent, type JobProgress } from "./fold-job.ts";

/** Events have more fields than the fold reads. */
function event<Type extends FoldedJobEvent["type"]>(type: Type, data: Partial<EventData<Type>> = {}): FoldedJobEvent {
  return { type, data } as object as FoldedJobEvent;
}

const started = (attempt: number) => event("job.started", { attempt });
const prepared = (attempt: number) => event("job.started", { attempt, ahead: true });
const running = event("job.running");
const exited = event("job.exited");
const failed = event("job.retrying", { attempt: 1 });
const ended = event("job.ended", { state: "COMPLETE" });

/** The event at index N is recorded at the time N + 1. */
function fold(events: readonly FoldedJobEvent[]): JobProgress {
  return events.reduce<JobProgress>((job, one, index) => foldJob(job, one, index + 1), QUEUED_JOB);
}

const CASES: Readonly<Record<string, readonly [readonly FoldedJobEvent[], Partial<JobProgress>]>> = {
  "waits for an image": [[event("job.image")], { state: "INITIALIZING", phase: "staging", startedMs: undefined }],
  starts: [[started(1)], { state: "INITIALIZING", phase: "staging", startedMs: 1 }],
  "is prepared and waits for its turn": [[prepared(1)], { state: "QUEUED", phase: "prepared", startedMs: undefined }],
  "runs from its start on": [[started(1), running], { state: "RUNNING", phase: "running", startedMs: 1 }],
  "was prepared and runs once its process has started": [[prepared(1), running], { state: "RUNNING", startedMs: 2 }],
  "started before the event about it was recorded": [
    [prepared(1), event("job.running", { late_ms: 2 })],
    { startedMs: 0 },
  ],
  "collects its outputs": [[started(1), running, exited], { state: "RUNNING", phase: "collecting", exitedMs: 3 }],
  "waits for its next attempt": [[started(1), running, exited, failed], { ...QUEUED_JOB, attempt: 2 }],
  "waits, whatever its last attempt reports": [[started(1), failed, running, exited], { ...QUEUED_JOB, attempt: 2 }],
  "begins again after a crash": [
    [started(1), running, prepared(2)],
    { state: "QUEUED", attempt: 2, startedMs: undefined },
  ],
  ends: [[started(1), running, ended], { state: "COMPLETE", phase: "ended", startedMs: 1, endedMs: 3 }],
  "ended immediately": [
    [prepared(1), event("job.ended", { state: "COMPLETE", ran_ms: 1 })],
    { startedMs: 1, endedMs: 2 },
  ],
  "could not be started": [[prepared(1), event("job.ended", { state: "SYSTEM_ERROR" })], { startedMs: 2, endedMs: 2 }],
  "was canceled before it began": [[prepared(1), event("job.ended", { state: "CANCELED" })], { startedMs: undefined }],
  "keeps its final state": [
    [started(1), ended, running, failed, started(2)],
    { state: "COMPLETE", attempt: 1, endedMs: 2 },
  ],
};

describe("a job", () => {
  for (const [name, [events, expected]] of Object.entries(CASES))
    it(name, () => {
      const job = fold(events);
      assert.deepEqual({ ...job, ...expected }, job);
    });

  it("is unchanged by a report without new facts", () => {
    for (const type of ["job.queued", "job.late", "job.killed"] as const)
      assert.equal(foldJob(QUEUED_JOB, event(type), 1), QUEUED_JOB);
  });

  it("is canceled at the end of its run, unless it has ended before", () => {
    const open = fold([started(1), running]);
    assert.deepEqual(closeJob(open, 9), { ...open, state: "CANCELED", phase: "ended", endedMs: 9 });
    const over = fold([started(1), ended]);
    assert.equal(closeJob(over, 9), over);
  });
});
