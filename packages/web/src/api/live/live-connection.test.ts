import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { RefetchScheduler, readAgain } from "./live-connection.ts";

/** A record whose reads the test answers. */
function watched() {
  const cache = new QueryClient({ defaultOptions: { queries: { networkMode: "always", retry: false } } });
  const reads: PromiseWithResolvers<string>[] = [];
  const query = {
    queryKey: ["run", "1"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => {
      const read = Promise.withResolvers<string>();
      reads.push(read);
      return read.promise;
    },
  };
  const answer = async (place: number, text: string) => {
    reads[place]?.resolve(text);
    await setImmediate();
  };
  return { cache, query, reads, answer, known: () => cache.getQueryData(query.queryKey) };
}

describe("readAgain", () => {
  it("repeats a first read that was requested before the change and answered after it", async () => {
    const { cache, query, reads, answer, known } = watched();
    const stop = new QueryObserver(cache, query).subscribe(() => {});
    const done = readAgain(cache, { queryKey: ["run"] });
    await answer(0, "before the change");
    assert.equal(reads.length, 2);
    await answer(1, "after the change");
    await done;
    assert.equal(known(), "after the change");
    stop();
    cache.clear();
  });

  it("marks queries that no page shows, so that they are read when one does", async () => {
    const { cache, query, reads, answer, known } = watched();
    void cache.prefetchQuery(query);
    const done = readAgain(cache);
    await answer(0, "before the change");
    await done;
    assert.equal(reads.length, 1);
    const stop = new QueryObserver(cache, query).subscribe(() => {});
    await answer(1, "after the change");
    assert.equal(known(), "after the change");
    stop();
    cache.clear();
  });

  it("repeats a first read that fails, and does not reject", async () => {
    const { cache, query, reads, answer, known } = watched();
    const stop = new QueryObserver(cache, query).subscribe(() => {});
    const done = readAgain(cache);
    reads[0]?.reject(new Error("not there yet"));
    await setImmediate();
    await answer(1, "there");
    await done;
    assert.equal(known(), "there");
    stop();
    cache.clear();
  });

  it("reads a known record once", async () => {
    const { cache, query, reads, answer, known } = watched();
    const stop = new QueryObserver(cache, query).subscribe(() => {});
    await answer(0, "before the change");
    const done = readAgain(cache);
    await answer(1, "after the change");
    await done;
    assert.deepEqual([known(), reads.length], ["after the change", 2]);
    stop();
    cache.clear();
  });
});

function setUp() {
  const reads: string[] = [];
  const timers: (() => void)[] = [];
  const subject = new RefetchScheduler<string>({
    refetch: (key) => (reads.push(key), Promise.resolve()),
    schedule: (_delayMs, run) => void timers.push(run),
    intervalMs: 1000,
  });
  return { subject, reads, timers };
}

test("many requests within an interval are two reads: the first and one at its end", async () => {
  const { subject, reads, timers } = setUp();
  for (let n = 0; n < 50; n += 1) subject.request("run");
  await Promise.resolve();
  assert.deepEqual(reads, ["run"]);
  timers.shift()?.();
  await Promise.resolve();
  assert.deepEqual(reads, ["run", "run"]);
  timers.shift()?.();
  assert.equal(timers.length, 0);
  assert.deepEqual(reads, ["run", "run"]);
});

test("keys do not wait for each other", () => {
  const { subject, reads } = setUp();
  subject.request("a");
  subject.request("b");
  assert.deepEqual(reads, ["a", "b"]);
});
