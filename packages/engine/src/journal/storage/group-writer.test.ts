import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NewEvent } from "../journal-event.ts";
import { GroupWriter, type WriterMessage } from "./group-writer.ts";
import type { StorageProblem } from "./storage-problem.ts";

const event = (type: NewEvent["type"], actor = "engine"): NewEvent =>
  ({ type, run_id: "r", actor, data: {} }) as NewEvent; // the writer reads type and actor alone
const BEGINNING = event("job.queued");
const END = event("job.ended");
const ASKED = event("run.created", "ann");
const ABORT = event("run.canceling", "ann");

/** A writer over a scripted disk, with everything that it wrote and logged. */
function writerOver(disk: {
  storageProblem?: StorageProblem | "mistake" | undefined;
  slices?: number;
  mayBeOver?: boolean;
}) {
  const written: string[] = [];
  const said: string[] = [];
  let nowMs = 0;
  let later: (() => void) | undefined;
  let lastId = 0;
  let untilLocked = 0;
  const room = () => (disk.storageProblem === "full" && (disk.slices ?? 0) < 0 ? undefined : disk.storageProblem);
  const writer = new GroupWriter({
    commit(batches) {
      const storageProblem = room();
      const types = batches.flat().map(({ type }) => type);
      if (storageProblem === "mistake" ? types.includes("job.late") : storageProblem !== undefined)
        throw new Error(storageProblem);
      written.push(...types);
      if ((untilLocked -= 1) === 0) disk.storageProblem = "locked";
      return batches.map((batch) => batch.map(() => null));
    },
    storageProblemOf: (error) => {
      const { message } = error as Error;
      return message === "mistake" ? undefined : (message as StorageProblem); // thrown above
    },
    mayBeOver: () => disk.mayBeOver ?? disk.storageProblem === undefined,
    releaseBallast() {
      if ((disk.slices ?? 0) === 0) return false;
      disk.slices = -1;
      return true;
    },
    tell: (message) => said.push(textOf(message)),
    later: (_, act) => (later = act),
    steadyMs: () => nowMs,
  });
  return {
    disk,
    written,
    said,
    add: (...events: NewEvent[]): void => {
      for (const each of events) writer.add({ id: ++lastId, events: [each] });
    },
    flush: () => writer.flush(),
    /** Another program locks the log after this many commits. */
    lockAfter: (commits: number) => (untilLocked = commits),
    pass: (ms: number): void => {
      nowMs += ms;
      later?.();
    },
    writer,
  };
}

function textOf(message: WriterMessage): string {
  if ("answers" in message) return `answered ${message.answers.map(({ id }) => id).join(" ")}`.trim();
  if ("refused" in message) return `refused ${message.refused.join(" ")} because ${message.because}`;
  return "failed" in message ? `failed ${message.failed.join(" ")}` : `problem ${message.storageProblem ?? "over"}`;
}

describe("GroupWriter", () => {
  it("writes all waiting requests in one transaction", () => {
    const { add, flush, said } = writerOver({});
    add(BEGINNING, END);
    flush();
    assert.deepEqual(said, ["answered 1 2"]);
  });

  it("rolls back only the group with an error", () => {
    const { add, flush, said } = writerOver({ storageProblem: "mistake" });
    add(END, event("job.late"), END);
    flush();
    assert.deepEqual(said, ["answered 1", "failed 2", "answered 3"]);
  });

  it("keeps the order if the database is locked during the search for an error", () => {
    const { disk, add, flush, said, written, pass, lockAfter } = writerOver({
      ...{ storageProblem: "mistake", mayBeOver: true },
    });
    add(BEGINNING, event("job.late"), END, event("job.exited"));
    lockAfter(1);
    flush();
    assert.deepEqual([said, written], [["answered 1", "problem locked"], ["job.queued"]]);
    disk.storageProblem = undefined;
    pass(500);
    assert.deepEqual(written, ["job.queued", "job.late", "job.ended", "job.exited"]);
  });

  it("refuses new requests on a full disk, and keeps facts in their order", () => {
    const { disk, add, flush, said, written, pass } = writerOver({ storageProblem: "full" });
    add(BEGINNING, ASKED, END);
    flush();
    assert.deepEqual([said, written], [["problem full", "refused 2 because full"], []]);
    disk.storageProblem = undefined;
    pass(500);
    assert.deepEqual(written, ["job.ended", "job.queued"]);
    assert.deepEqual(said.slice(2), ["answered 3 1", "problem over"]);
  });

  it("writes ends and aborts into their reserved space, and nothing that begins", () => {
    const { add, flush, said, written } = writerOver({ storageProblem: "full", slices: 1, mayBeOver: false });
    add(BEGINNING, END, ABORT, ASKED);
    flush();
    assert.deepEqual(written, ["job.ended", "run.canceling"]);
    assert.deepEqual(said, ["problem full", "answered 2 3", "refused 4 because full"]);
    add(BEGINNING, END);
    flush();
    assert.deepEqual(written.slice(2), ["job.ended"]);
  });

  it("refuses an abort if no space is left for it", () => {
    const { add, flush, said } = writerOver({ storageProblem: "full" });
    add(ABORT);
    flush();
    assert.deepEqual(said, ["problem full", "refused 1 because full"]);
  });

  it("lets a caller wait 5 s for a lock, and the engine as long as necessary", () => {
    const { disk, add, flush, said, pass, written } = writerOver({ storageProblem: "locked", mayBeOver: true });
    add(ASKED, END);
    flush();
    pass(4999);
    assert.deepEqual(said, ["problem locked"]);
    pass(1);
    assert.deepEqual(said, ["problem locked", "refused 1 because locked"]);
    pass(3_600_000);
    disk.storageProblem = undefined;
    pass(500);
    assert.deepEqual(written, ["job.ended"]);
  });

  it("writes again when a folder that was read-only can be written", () => {
    const { disk, add, flush, said, pass } = writerOver({ storageProblem: "read-only" });
    add(ASKED, BEGINNING);
    flush();
    disk.storageProblem = undefined;
    pass(500);
    assert.deepEqual(said, ["problem read-only", "refused 1 because read-only", "answered 2", "problem over"]);
  });

  it("writes nothing after the disk has failed, even if it recovers", () => {
    const { disk, add, flush, said, written, writer } = writerOver({ storageProblem: "failed" });
    add(END);
    flush();
    disk.storageProblem = undefined;
    add(END, ASKED);
    flush();
    assert.deepEqual(said, ["problem failed", "refused 1 because failed", "refused 2 3 because failed"]);
    assert.deepEqual([written, writer.hasFailed], [[], true]);
  });

  it("does not retry a write that failed while ends were written to a full disk", () => {
    const { disk, add, flush, said, written } = writerOver({ storageProblem: "full", slices: 0 });
    add(END, BEGINNING);
    flush();
    disk.storageProblem = "failed";
    add(END);
    flush();
    assert.deepEqual(written, []);
    assert.deepEqual(said, [
      "problem full",
      "problem failed",
      "refused 1 3 because failed",
      "refused 2 because failed",
    ]);
  });
});
