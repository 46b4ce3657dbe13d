// Sends one form of 60 text fields of 31 MiB to a server in this process. Prints the status of the answer and the
// peak memory of the process. Status 0: the server closed the connection before the client had read the answer.
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { startTestServer } from "./test-server.ts";

const [path = ""] = process.argv.slice(2);
const FIELDS = 60;
const FIELD_MIB = 31;
const MIB = Buffer.alloc(1024 * 1024, "x");

test("sends a hostile form", async (t) => {
  const server = await startTestServer(t);
  const form = request(`${server.address}${path}`, {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b", connection: "close" },
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  let status: number | undefined;
  form.on("response", (response) => {
    status = response.statusCode ?? 0;
    response.resume().on("end", () => resolve(status ?? 0));
  });
  // The server stops reading when it has refused the form.
  form.on("error", () => resolve(status ?? 0));
  for (let field = 0; field < FIELDS && status === undefined; field++) {
    form.write(`--b\r\ncontent-disposition: form-data; name="field-${field}"\r\n\r\n`);
    for (let mib = 0; mib < FIELD_MIB && status === undefined; mib++)
      if (!form.write(MIB)) await Promise.race([new Promise((drained) => form.once("drain", drained)), promise]);
    form.write("\r\n");
    await setImmediate();
  }
  form.end("--b--\r\n");
  const answered = await promise;
  process.stdout.write(`status ${answered}, ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB\n`);
  assert.equal((await server.call("GET /healthz")).status, 200);
});

after(() => process.exit());
