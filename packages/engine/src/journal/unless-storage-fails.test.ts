import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StorageProblemWatch } from "./journal-writer.ts";
import { unlessStorageFails } from "./unless-storage-fails.ts";

/** The part of a journal that reports the state of its disk. */
function watched() {
  const watch = new StorageProblemWatch();
  const journal = {
    get storageProblem() {
      return watch.present;
    },
    onStorageProblem: (listener: Parameters<StorageProblemWatch["listen"]>[0]) => watch.listen(listener),
  };
  return { watch, journal };
}

const withoutEnd = () => new Promise(() => {});

describe("unlessStorageFails", () => {
  it("waits for the work while the disk is healthy", async () => {
    let isDone = false;
    const work = new Promise(setImmediate).then(() => (isDone = true));
    await unlessStorageFails(work, watched().journal);
    assert.equal(isDone, true);
  });

  it("hides a failure of the work", () => unlessStorageFails(Promise.reject(new Error("refused")), watched().journal));

  it("does not wait on a failing disk", async () => {
    const { watch, journal } = watched();
    watch.tell("full", "no room");
    await unlessStorageFails(withoutEnd(), journal);
  });

  it("stops waiting once the storage fails", async () => {
    const { watch, journal } = watched();
    const waiting = unlessStorageFails(withoutEnd(), journal);
    watch.tell("read-only", "remounted");
    await waiting;
  });
});
