import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import { dropSlowReader } from "./drop-slow-reader.ts";

/** More than all buffers between the two ends hold. */
const LARGE = 64;
const MIB = Buffer.alloc(1024 * 1024);

test("a client that does not read its response is disconnected, and one that reads gets all of it", async (t) => {
  const answers: ServerResponse[] = [];
  const server = createServer(({ url }, response) => {
    answers.push(response);
    // The client that reads shares this process, and so it may be idle for longer on a busy machine.
    dropSlowReader(response, url === "/slow" ? 200 : 20_000);
    Readable.from(Array.from({ length: LARGE }, () => MIB)).pipe(response);
  });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  const slow = connect(port, "127.0.0.1").pause();
  slow.on("error", () => undefined);
  slow.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(server, "request");
  const [dropped] = answers;
  assert.ok(dropped);
  await once(dropped, "close");
  assert.equal(dropped.writableFinished, false);
  slow.destroy();
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
  assert.equal((await answer.arrayBuffer()).byteLength, LARGE * MIB.length);
});
