import assert from "node:assert/strict";
import { test } from "node:test";
import { connection } from "../../test/loopback-connection.ts";
import type { ConnectionEnds } from "./connection-ends.ts";
import { findPeers } from "./find-peers.ts";
import { SocketDiag } from "./socket-diag.ts";

const skip = process.platform === "linux" ? false : "needs /proc";

const ownUser = process.getuid?.() ?? 0;
const accepted = [ownUser];

for (const [how, diag] of [
  ["by querying the kernel for each", SocketDiag.open()],
  ["by reading its tables", undefined],
] as const)
  test(`peers are found ${how}`, { skip }, async (t) => {
    const [{ ends: first }, { ends: second }] = [await connection(t), await connection(t)];
    const wanted = [first, { ...first, remotePort: 1 }, second].map((ends) => ({ ends, isSecondLook: false }));
    assert.deepEqual(findPeers(wanted, { accepted, diag }), [ownUser, null, ownUser]);
  });

test("reads the tables at the second lookup of a peer that the kernel does not find", { skip }, async (t) => {
  const { ends } = await connection(t);
  const blind = SocketDiag.open();
  assert.ok(blind !== undefined);
  t.mock.method(blind, "find", () => null);
  assert.deepEqual(findPeers([{ ends, isSecondLook: false }], { accepted, diag: blind }), [null]);
  assert.deepEqual(findPeers([{ ends, isSecondLook: true }], { accepted, diag: blind }), [ownUser]);
});

test("a peer that nothing lists is unknown while its connection is open, and then nobody", { skip }, async (t) => {
  const { ends } = await connection(t);
  const diag = SocketDiag.open();
  assert.ok(diag !== undefined);
  let isEstablished = true;
  const elsewhere = { ...ends, remotePort: 1 };
  t.mock.method(diag, "find", ({ localPort }: ConnectionEnds) =>
    localPort === 1 ? { uid: 0, inode: "1", isEstablished } : null,
  );
  assert.deepEqual(findPeers([{ ends: elsewhere, isSecondLook: true }], { accepted, diag }), [null]);
  isEstablished = false;
  assert.deepEqual(findPeers([{ ends: elsewhere, isSecondLook: true }], { accepted, diag }), ["closed"]);
  assert.deepEqual(findPeers([{ ends: elsewhere, isSecondLook: true }], { accepted, diag: undefined }), ["closed"]);
});
