import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { EventOf, EventType } from "@weft/shared/events/event.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { Engine } from "../src/port/engine.ts";
import { DEFAULT_DOWNLOADS } from "../src/files/remote/download-store.ts";
import { allowHosts } from "../src/files/remote/http-policy.ts";
import { startWebServer, text } from "../src/files/remote/testing/web-server.ts";
import { caller, endedRun, runToEnd, startRun, untilEvent } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { provenanceOf, runsOf } from "../src/testing/ask-runs.ts";
import { column } from "../src/testing/columns.ts";

const executor = new ScriptedExecutor();

const silent = Promise.withResolvers<void>();
const stalling = Promise.withResolvers<void>();
let versions = 0;
let stalls = 0;
const web = await startWebServer({
  "/a.txt": text("from the web\n"),
  "/a.txt.idx": text("index\n"),
  "/silent": () => silent.resolve(),
  "/versions": (_, response) => response.end(`version ${++versions}\n`),
  "/stalls-once": (_, response) => {
    if (stalls++ > 0) return response.end("at last\n");
    response.writeHead(200, { "content-length": "8" }).write("at");
    stalling.resolve();
  },
});

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: cat
inputs:
  text: { type: File, inputBinding: { position: 1 }, secondaryFiles: [{ pattern: .idx, required: false }] }
  more: { type: File?, inputBinding: { position: 2 } }
  folder: Directory?
outputs:
  joined: { type: stdout }
  same: { type: File, outputBinding: { outputEval: $(inputs.text) } }
stdout: joined.txt
`;
/** The second step has a default of its own, which only the job can bring. */
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs: { text: File }
outputs: { joined: { type: File, outputSource: join/joined } }
steps:
  join:
    run: ../../tools/join/1.0.0/join.cwl
    in: { text: text, more: { default: { class: File, location: "${web.address}/a.txt" } } }
    out: [joined]
`;
const root = temporaryFolder({
  "catalog/tools/join/1.0.0/join.cwl": TOOL,
  "catalog/networks/join-all/join-all.cwl": NETWORK,
  "catalog/networks/wrong-sum/wrong-sum.cwl": NETWORK.replace("a.txt", `a.txt", checksum: "sha1$${"0".repeat(40)}`),
  "catalog/data/local.txt": "local\n",
});

const downloadSettings = {
  ...{ ...DEFAULT_DOWNLOADS, environment: {}, retryDelaysMs: [] },
  policy: allowHosts(["127.0.0.1", "*"]),
};
const open = (state: string): Promise<Engine> =>
  openTestEngine(root, { executor, stateFolder: join(root, state), downloadSettings });
const engine = await open("state");
after(async () => {
  await engine.stop("cancel");
  await web.close();
});

const webFile = (path: string, more = {}) => ({ class: "File", location: web.address + path, ...more });

async function content(run: Run, output = "joined", at = engine): Promise<string> {
  const { location } = (run.outputs ?? {})[output] as { readonly location: string };
  const served = await at.files.runFile(caller, run.run_id, location.split("/files/")[1] ?? "");
  return readFile(served.path, "utf8");
}

const eventsOf = <Type extends EventType>(runId: string, type: Type) =>
  engine.events
    .page(caller, { runId, pageSize: 500 })
    .events.filter((event): event is EventOf<Type> => event.type === type);

describe("a run with inputs from the web", () => {
  it("fetches them, reports this while it waits, and keeps their URLs in its provenance", async () => {
    const runId = await startRun(engine, { tool: "join", inputs: { text: webFile("/a.txt?part=1") } });
    const run = await endedRun(engine, runId);
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    assert.equal(await content(run), "from the web\n");
    assert.equal(await content(run, "same"), "from the web\n");
    assert.equal(run.state_reason, null);
    const location = `${web.address}/a.txt?part=1`;
    const [fetching] = eventsOf(runId, "run.fetching");
    assert.deepEqual(fetching?.data.reason, { code: "STAGE_IN", message: `Fetching ${location}` });
    const used = (await runsOf(engine).findFiles(caller, { run: runId, scope: "job", direction: "input" })).files;
    assert.equal(used.find(({ name }) => name === "a.txt")?.url, location);
    assert.ok((await provenanceOf(engine).provJson(caller, runId)).bytes.includes(location));
  });

  it("finds secondary files next to them, fetches members of listings and defaults of steps", async () => {
    const listing = [webFile("/a.txt"), { class: "File", location: "data:,x", basename: "x.txt" }];
    const text = webFile("/a.txt");
    const tool = await runToEnd(engine, {
      tool: "join",
      inputs: { text, folder: { class: "Directory", basename: "d", listing } },
    });
    assert.equal(tool.state, "COMPLETE", tool.state_reason?.message ?? "");
    const same = tool.outputs?.["same"] as { readonly secondaryFiles?: readonly { readonly basename: string }[] };
    assert.deepEqual(column(same.secondaryFiles, "basename"), ["a.txt.idx"]);
    const local = { class: "File", location: "weft-data://catalog/data/local.txt" };
    const network = await runToEnd(engine, { network: "join-all", inputs: { text: local } });
    assert.equal(network.state, "COMPLETE", network.state_reason?.message ?? "");
    assert.equal(await content(network), "local\nfrom the web\n");
    assert.deepEqual(column(eventsOf(network.run_id, "job.fetching"), "step"), ["join"]);
  });

  it("reads data from the address itself, and records no file for it", async () => {
    const location = "data:text/plain;base64,aGVsbG8K";
    const run = await runToEnd(engine, { tool: "join", inputs: { text: { class: "File", location } } });
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    assert.equal(await content(run), "hello\n");
    assert.deepEqual((await runsOf(engine).findFiles(caller, { run: run.run_id, direction: "input" })).files, []);
  });

  it("shows no credentials anywhere", async () => {
    const location = `${web.address.replace("//", "//ann:hush@")}/a.txt?token=quiet`;
    const run = await runToEnd(engine, { tool: "join", inputs: { text: { class: "File", location } } });
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    const { events } = engine.events.page(caller, { runId: run.run_id, pageSize: 500 });
    const { bytes } = await provenanceOf(engine).provJson(caller, run.run_id);
    const shown = JSON.stringify([run, events]) + bytes.toString();
    assert.ok(shown.includes("//***@127.0.0.1"));
    assert.doesNotMatch(shown, /hush|quiet/);
  });

  const failures: [string, object, RegExp][] = [
    ["a missing file", webFile("/none"), /^cannot fetch http:\S+\/none: the server answered 404/],
    [
      "a file with another checksum",
      webFile("/a.txt", { checksum: `sha1$${"0".repeat(40)}` }),
      /a\.txt is not the expected file: its checksum is sha1\$[0-9a-f]{40}, not sha1\$0+/,
    ],
    ["a name of this machine that is not on the list", { class: "File", location: "http://localhost:1/" }, /loopback/],
  ];
  for (const [name, file, expected] of failures) {
    it(`ends in one sentence for ${name}`, async () => {
      const run = await runToEnd(engine, { tool: "join", inputs: { text: file } });
      assert.deepEqual([run.state, run.state_reason?.code], ["SYSTEM_ERROR", "STAGE_IN"]);
      assert.match(run.state_reason?.message ?? "", expected);
    });
  }

  it("checks a file that was already fetched against the checksum of another input", async () => {
    const run = await runToEnd(engine, { network: "wrong-sum", inputs: { text: webFile("/a.txt") } });
    assert.deepEqual([run.state, run.state_reason?.code], ["SYSTEM_ERROR", "STAGE_IN"]);
    assert.match(run.state_reason?.message ?? "", /^Job join failed: .*a\.txt is not the expected file/);
  });

  const refusals: [string, object, string, RegExp][] = [
    ["an address of this network", webFile("", { location: "http://10.0.0.1/x" }), "/inputs/text/location", /private/],
    ["a broken data address", webFile("", { location: "data:;base64,a" }), "/inputs/text/location", /not valid base64/],
    ["another scheme", webFile("", { location: "ftp://h/x" }), "/inputs/text/location", /cannot read ftp/],
    [
      "one among secondary files",
      webFile("/a.txt", { secondaryFiles: [{ class: "File", location: "http://[::1]/x" }] }),
      "/inputs/text/secondaryFiles/0/location",
      /loopback/,
    ],
  ];
  for (const [name, file, pointer, expected] of refusals) {
    it(`is refused at once for ${name}`, async () => {
      await assert.rejects(startRun(engine, { tool: "join", inputs: { text: file } }), (error) => {
        assert.ok(error instanceof Refusal);
        assert.deepEqual(column(error.errors, "pointer"), [pointer]);
        assert.match(error.errors[0]?.detail ?? "", expected);
        return true;
      });
    });
  }

  it("can be planned without fetching anything", async () => {
    const before = web.requests.length;
    const plan = await engine.runs.plan(caller, { tool: "join", inputs: { text: webFile("/a.txt") } });
    assert.equal(plan.jobs.length, 1);
    assert.equal(web.requests.length, before);
  });

  it("can be aborted while it waits", async () => {
    const runId = await startRun(engine, { tool: "join", inputs: { text: webFile("/silent") } });
    await silent.promise;
    await untilEvent(engine, () => engine.runs.status(caller, runId).state === "INITIALIZING");
    assert.equal((await engine.runs.abort(caller, runId, 10_000)).state, "CANCELED");
  });

  it("is resumed with the bytes that it received", async () => {
    const first = await open("resumed");
    const inputs = { text: webFile("/versions?key=secret"), more: webFile("/stalls-once") };
    const runId = await startRun(first, { tool: "join", inputs });
    const isPinned = () =>
      first.events.page(caller, { runId, pageSize: 100 }).events.some(({ type }) => type === "run.fetched");
    await Promise.all([stalling.promise, untilEvent(first, isPinned)]);
    await first.stop("detach");
    const second = await open("resumed");
    const run = await endedRun(second, runId);
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    assert.equal(await content(run, "joined", second), "version 1\nat last\n");
    await second.stop("cancel");
  });
});
