import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TroubleWatch } from "./storage/trouble-watch.ts";
import { unlessTroubled } from "./unless-troubled.ts";

/** What of a journal tells of its disk. */
function watched() {
  const watch = new TroubleWatch();
  const journal = {
    get trouble() {
      return watch.present;
    },
    onTrouble: (listener: Parameters<TroubleWatch["listen"]>[0]) => watch.listen(listener),
  };
  return { watch, journal };
}

const withoutEnd = () => new Promise(() => {});

describe("unlessTroubled", () => {
  it("waits for the work of a disk that is well", async () => {
    let isDone = false;
    const work = new Promise(setImmediate).then(() => (isDone = true));
    await unlessTroubled(work, watched().journal);
    assert.equal(isDone, true);
  });

  it("does not tell of a failure", () => unlessTroubled(Promise.reject(new Error("refused")), watched().journal));

  it("does not wait on a disk in trouble", async () => {
    const { watch, journal } = watched();
    watch.tell("full", "no room");
    await unlessTroubled(withoutEnd(), journal);
  });

  it("waits no longer once trouble comes", async () => {
    const { watch, journal } = watched();
    const waiting = unlessTroubled(withoutEnd(), journal);
    watch.tell("read-only", "remounted");
    await waiting;
  });
});
