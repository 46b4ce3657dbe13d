import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { readAgain } from "./read-again.ts";

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
  it("repeats a first read that was asked before the change and is answered after it", async () => {
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
