import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { connection } from "../../test/loopback-connection.ts";
import { otherEnd } from "./connection-ends.ts";
import { SocketDiag } from "./socket-diag.ts";

const skip = process.platform === "linux" ? false : "only Linux has sock_diag";

function openDiag(): SocketDiag {
  const diag = SocketDiag.open();
  assert.ok(diag !== undefined);
  return diag;
}

test("the account and the socket at the other end", { skip }, async (t) => {
  const diag = openDiag();
  for (const [listenAt, connectTo] of [
    ["127.0.0.1", "127.0.0.1"],
    ["::1", "::1"],
    ["127.0.0.1", "::ffff:127.0.0.1"],
    ["::", "127.0.0.1"],
  ] as const)
    await t.test(`finds the account for ${connectTo} connected to ${listenAt}`, async (inner) => {
      const { ends } = await connection(inner, listenAt, connectTo);
      const peer = diag.find(ends);
      assert.equal(peer?.uid, process.getuid?.());
      const own = diag.find(otherEnd(ends));
      assert.ok(own?.isEstablished);
      assert.notEqual(own.inode, peer?.inode);
    });
});

test("a peer that has closed its sending side", { skip }, async (t) => {
  const { client, accepted, ends } = await connection(t);
  accepted.resume();
  client.end();
  await once(accepted, "end");
  assert.equal(openDiag().find(ends)?.uid, process.getuid?.());
});

test("a peer that has closed its socket is nobody, although the kernel lists it as root's", { skip }, async (t) => {
  const { client, accepted, ends } = await connection(t);
  accepted.resume();
  client.destroy();
  await once(accepted, "end");
  assert.equal(openDiag().find(ends), null);
});

test("a program that listens at the peer's port is not the peer", { skip }, async (t) => {
  const { ends } = await connection(t);
  const { localPort: listening } = ends;
  assert.equal(openDiag().find({ ...ends, remotePort: listening, localPort: 1 }), null);
});

test("every question gets its own answer", { skip }, async (t) => {
  const diag = openDiag();
  const open = await Promise.all(Array.from({ length: 50 }, () => connection(t)));
  const found = open.map(({ ends }) => [diag.find(ends)?.inode, diag.find({ ...ends, remotePort: 1 })]);
  assert.equal(new Set(found.map(([inode]) => inode)).size, 50);
  assert.ok(found.every(([inode, absent]) => typeof inode === "string" && absent === null));
});
