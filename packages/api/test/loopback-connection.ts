import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { TestContext } from "node:test";
import type { ConnectionEnds } from "../src/auth/connection-ends.ts";

/** The ends of a connection, as its server names them. */
export function endsOf({
  remoteAddress = "",
  remotePort = 0,
  localAddress = "",
  localPort = 0,
}: Socket): ConnectionEnds {
  return { remoteAddress, remotePort, localAddress, localPort };
}

/** A server without an answer, and its port; it closes after the test. */
export async function listen(t: TestContext, host = "127.0.0.1") {
  const server = createServer({ allowHalfOpen: true }).listen(0, host);
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  const accept = async (): Promise<Socket> => {
    const [accepted]: Socket[] = await once(server, "connection");
    assert.ok(accepted !== undefined);
    t.after(() => accepted.destroy());
    return accepted;
  };
  return { port, accept };
}

/** A connection to this process, and its ends as the server names them. */
export async function connection(t: TestContext, listenAt = "127.0.0.1", connectTo = listenAt) {
  const { port, accept } = await listen(t, listenAt);
  const client = connect(port, connectTo);
  t.after(() => client.destroy());
  const accepted = await accept();
  return { client, accepted, ends: endsOf(accepted) };
}
