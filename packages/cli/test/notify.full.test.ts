import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { WebhookReceiver } from "@weft/engine/testing/webhook-receiver.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { startServer } from "./serving.ts";

const FAIL = `cwlVersion: v1.2
class: Workflow
inputs: {}
steps: { fail: { in: {}, out: [], run: { class: CommandLineTool, baseCommand: "false", inputs: {}, outputs: [] } } }
outputs: []
`;
const KILLS = 2;

test("a message survives kill -9 of the server while it is being sent", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "weft-notify-cli-"));
  const receiver = await WebhookReceiver.start();
  t.after(() => receiver.close());
  t.after(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "catalog/networks/fail"), { recursive: true });
  await writeFile(join(root, "catalog/networks/fail/fail.cwl"), FAIL);
  const state = ["--state", join(root, "state")];
  const more = ["--catalog", join(root, "catalog"), "--webhook-hosts", "127.0.0.1"];
  let server = await startServer([...state, ...more]);
  const added = await weft(["notify", "add", ...state, "--network", "fail", "--webhook", receiver.url]);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /^whsec_\S+\n$/);
  const [, id = ""] = /^Subscription (\S+)\. The following is shown only once\.$/m.exec(added.stderr) ?? [];
  receiver.reactions.push(...Array.from({ length: KILLS }, () => "hang" as const));
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ network: "fail" });
  assert.equal((await fetch(`${server.address}/api/runs`, { method: "POST", headers, body })).status, 201);
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
  assert.match(deliveries.stdout, /\tdelivered\t1 attempts\tfailure\t/);
  const [delivery = ""] = deliveries.stdout.split("\t");
  assert.equal((await weft(["notify", "resend", ...state, delivery])).code, 0);
  assert.equal((await weft(["notify", "test", ...state, id])).code, 0);
  await receiver.until(({ length }) => length === KILLS + 3);
  assert.equal((await weft(["notify", "remove", ...state, id])).code, 0);
  assert.equal((await weft(["notify", "list", ...state])).stdout, "");
  const refused = await weft(["notify", "add", ...state, "--network", "none", "--feed"]);
  assert.deepEqual([refused.code, refused.stderr], [1, 'weft: The catalog has no network "none".\n']);
  const both = await weft(["notify", "add", ...state, "--network", "fail", "--feed", "--email", "a@b.example"]);
  assert.deepEqual([both.code, both.stdout], [2, ""]);
  await server.stop("SIGTERM");
});
