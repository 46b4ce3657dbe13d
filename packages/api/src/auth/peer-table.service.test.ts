import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import { PeerTable, startPeerReader } from "./peer-table.ts";
import type { FoundUids } from "./find-peers.ts";

const ends = (remotePort: number) => ({
  remoteAddress: "127.0.0.1",
  remotePort,
  localAddress: "127.0.0.1",
  localPort: 8080,
});

/** A reader whose reads the test ends. */
function scriptedReader() {
  const reads: { readonly count: number; readonly end: (uids: FoundUids) => void }[] = [];
  const begun = new EventEmitter();
  const table = new PeerTable((connections) => {
    const { promise, resolve } = Promise.withResolvers<FoundUids>();
    reads.push({ count: connections.length, end: resolve });
    begun.emit("read");
    return promise;
  });
  const began = async (count: number) => {
    while (reads.length < count) await once(begun, "read");
    return reads[count - 1]?.count;
  };
  return { table, reads, began };
}

test("connections that wait at the same time share one read", async () => {
  const { table, reads, began } = scriptedReader();
  const peers = Array.from({ length: 400 }, (_, index) => table.find(ends(index + 1)));
  assert.equal(await began(1), 400);
  reads[0]?.end(peers.map((_, index) => index));
  assert.deepEqual(await Promise.all(peers), [...peers.keys()]);
  assert.equal(reads.length, 1);
});

test("a connection that arrives during a read is not identified by it", async () => {
  const { table, reads, began } = scriptedReader();
  const first = table.find(ends(1));
  await began(1);
  // Reuses the ports of a closed connection, as another account may.
  const second = table.find(ends(1));
  reads[0]?.end([0]);
  assert.equal(await first, 0);
  assert.equal(await began(2), 1);
  reads[1]?.end([65_534]);
  assert.equal(await second, 65_534);
});

test("looks twice for a peer that is not listed, and then reports it as unknown", async () => {
  const { table, reads, began } = scriptedReader();
  const skipped = table.find(ends(1));
  const absent = table.find(ends(2));
  await began(1);
  reads[0]?.end([null, null]);
  assert.equal(await began(2), 2);
  reads[1]?.end([1000, null]);
  assert.deepEqual([await skipped, await absent], [1000, "unknown"]);
  assert.equal(reads.length, 2);
});

test("a table that cannot be read identifies nobody", async () => {
  const table = new PeerTable(() => Promise.reject(new Error("EMFILE: too many open files")));
  assert.deepEqual(await Promise.all([table.find(ends(1)), table.find(ends(2))]), ["unknown", "unknown"]);
});

test("servers that share the thread learn only about their own connections", async () => {
  const read = startPeerReader();
  const wanted = (count: number) => Array.from({ length: count }, () => ({ ends: ends(1), isSecondLook: false }));
  const answers = await Promise.all([read(wanted(1), []), read(wanted(3), []), read(wanted(2), [])]);
  assert.equal(answers.map(({ length }) => length).join(), "1,3,2");
});
