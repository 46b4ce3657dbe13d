import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import type { ConnectionEnds } from "./connection-ends.ts";
import { findPeers } from "./find-peers.ts";
import { SocketDiag } from "./socket-diag.ts";

const skip = process.platform === "linux" ? false : "needs /proc";

/** The ends of connections to this process, as their server names them. */
async function connections(t: TestContext, count: number): Promise<readonly ConnectionEnds[]> {
  const server = createServer().listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  const ends: ConnectionEnds[] = [];
  for (let n = 0; n < count; n++) {
    const client = connect(port, "127.0.0.1");
    const [accepted]: Socket[] = await once(server, "connection");
    t.after(() => [client, accepted].forEach((socket) => socket?.destroy()));
    const { remoteAddress = "", remotePort = 0, localAddress = "", localPort = 0 } = accepted ?? {};
    ends.push({ remoteAddress, remotePort, localAddress, localPort });
  }
  return ends;
}

const ownUser = process.getuid?.() ?? 0;
const accepted = [ownUser];

for (const [how, diag] of [
  ["by querying the kernel for each", SocketDiag.open()],
  ["by reading its tables", undefined],
] as const)
  test(`peers are found ${how}`, { skip }, async (t) => {
    const [first, second] = await connections(t, 2);
    assert.ok(first !== undefined && second !== undefined);
    const wanted = [first, { ...first, remotePort: 1 }, second].map((ends) => ({ ends, isSecondLook: false }));
    assert.deepEqual(findPeers(wanted, { accepted, diag }), [ownUser, null, ownUser]);
  });

test("reads the tables at the second lookup of a peer that the kernel does not find", { skip }, async (t) => {
  const [ends] = await connections(t, 1);
  assert.ok(ends !== undefined);
  const blind = SocketDiag.open();
  assert.ok(blind !== undefined);
  t.mock.method(blind, "find", () => null);
  assert.deepEqual(findPeers([{ ends, isSecondLook: false }], { accepted, diag: blind }), [null]);
  assert.deepEqual(findPeers([{ ends, isSecondLook: true }], { accepted, diag: blind }), [ownUser]);
});

test("a peer that nothing lists is unknown while its connection is open, and then nobody", { skip }, async (t) => {
  const [ends] = await connections(t, 1);
  assert.ok(ends !== undefined);
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
