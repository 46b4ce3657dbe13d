import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@weft/shared/routes/client.ts";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { WebhookReceiver } from "@weft/engine/testing/webhook-receiver.ts";
import { expectSuccess, weft } from "../src/testing/run-in-process.ts";
import { startServer } from "./serving.ts";

const FAIL = `cwlVersion: v1.2
class: Workflow
inputs: {}
steps: { fail: { in: {}, out: [], run: { class: CommandLineTool, baseCommand: "false", inputs: {}, outputs: [] } } }
outputs: []
`;
const KILLS = 2;

test("a message survives kill -9 of the server while it is being sent", async (t) => {
  const root = temporaryFolder({ "catalog/networks/fail/fail.cwl": FAIL });
  const receiver = await WebhookReceiver.start();
  t.after(() => receiver.close());
  const state = ["--state", join(root, "state")];
  const more = ["--catalog", join(root, "catalog"), "--webhook-hosts", "127.0.0.1"];
  let server = await startServer([...state, ...more]);
  const added = await expectSuccess(["notify", "add", ...state, "--network", "fail", "--webhook", receiver.url]);
  assert.match(added.stdout, /^whsec_\S+\n$/);
  const [, id = ""] = /^Subscription (\S+)\. The following is shown only once\.$/m.exec(added.stderr) ?? [];
  receiver.reactions.push(...Array.from({ length: KILLS }, () => "hang" as const));
  await createClient(server.address)("POST /api/runs", { body: { network: "fail" } });
  for (let kill = 1; kill <= KILLS; kill++) {
    await receiver.until(({ length }) => length === kill);
    await server.stop("SIGKILL");
    server = await startServer([...state, ...more]);
  }
  await receiver.until(({ length }) => length > KILLS);
  assert.equal(new Set(receiver.received.map((received) => received.headers["webhook-id"])).size, 1);

  const list = await weft(["notify", "list", ...state]);
  assert.match(
    list.stdout,
    new RegExp(`^${id}\twebhook\tfail\tfailure\t0 pending\thttp://127\\.0\\.0\\.1:\\d+/…\tfail\n$`),
  );
  const deliveries = await weft(["notify", "deliveries", ...state, id]);
  assert.match(deliveries.stdout, /\tdelivered\t1 attempt\tfailure\t/);
  const [delivery = ""] = deliveries.stdout.split("\t");
  await expectSuccess(["notify", "resend", ...state, delivery]);
  await expectSuccess(["notify", "test", ...state, id]);
  await receiver.until(({ length }) => length === KILLS + 3);
  await expectSuccess(["notify", "remove", ...state, id]);
  assert.equal((await weft(["notify", "list", ...state])).stdout, "");
  const refused = await weft(["notify", "add", ...state, "--network", "none", "--feed"]);
  assert.deepEqual([refused.code, refused.stderr], [1, 'weft: The catalog has no network "none".\n']);
  const both = await weft(["notify", "add", ...state, "--network", "fail", "--feed", "--email", "a@b.example"]);
  assert.deepEqual([both.code, both.stdout], [2, ""]);
  await server.stop("SIGTERM");
});
