import assert from "node:assert/strict";
import { appendFile, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient, type Client } from "@weft/shared/routes/client.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { expectExit, expectSuccess } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const tool = (script: string, inputs: object) => ({
  class: "CommandLineTool",
  baseCommand: ["sh", "-c", script, "gate"],
  inputs,
  stdout: "text.txt",
  outputs: { text: "stdout" },
});
const first = tool('echo ran >>"$1"; echo made', { log: { type: "string", inputBinding: { position: 1 } } });
const second = tool('until [ -e "$1" ]; do sleep 0.05; done; cat "$2"', {
  gate: { type: "string", inputBinding: { position: 1 } },
  text: { type: "File", inputBinding: { position: 2 } },
});
/** A network whose second job waits until a file is there. */
const NETWORK = {
  cwlVersion: "v1.2",
  class: "Workflow",
  inputs: { gate: "string", log: "string" },
  outputs: { text: { type: "File", outputSource: "second/text" } },
  steps: {
    first: { run: first, in: { log: "log" }, out: ["text"] },
    second: { run: second, in: { gate: "gate", text: "first/text" }, out: ["text"] },
  },
};
const root = temporaryFolder({ "catalog/networks/gate/gate.cwl": JSON.stringify(NETWORK), "catalog/tools/": "" });
const at = (name: string) => join(root, name);
const state = at("state");

const open = (folder: string) => serve(["--state", folder, "--catalog", at("catalog")]);

function post(client: Client, name: string): Promise<string> {
  return startRun(client, { network: "gate", name, inputs: { gate: at(`${name}.gate`), log: at(`${name}.log`) } });
}

async function content(address: string, run: Run): Promise<string> {
  assert.ok(run.outputs);
  const { location } = run.outputs["text"] as { readonly location: string };
  return (await fetch(new URL(location, address))).text();
}

describe("weft backup and weft restore", () => {
  it("move finished runs with their files, and runs that then continue, to another folder", async () => {
    const original = await open(state);
    const client = createClient(original.address);
    await writeFile(at("done.gate"), "");
    const done = await post(client, "done");
    await untilRun(client, done);
    const gated = await post(client, "open");
    await untilRun(client, gated, ({ job_counts: counts }) => counts.COMPLETE === 1 && counts.RUNNING === 1);

    await expectSuccess(["backup", "--state", state, "--with-files", at("copy")]);
    const alone = await expectSuccess(["backup", "--state", state, at("alone")]);
    assert.match(alone.stdout, /the log \(\d+ bytes\), up to event \d+/);

    await writeFile(at("open.gate"), "");
    await untilRun(client, gated);
    await original.stop("SIGTERM");
    // The original is gone: nothing in the copy may refer to it.
    await rm(state, { recursive: true });
    await rm(at("open.gate"));

    const restored = await expectSuccess(["restore", at("copy"), "--state", at("elsewhere")]);
    assert.match(restored.stdout, /2 runs, \d+ files, all checked\n1 run had not finished/);
    const copy = await open(at("elsewhere"));
    const again = createClient(copy.address);
    const ended = await untilRun(again, done);
    assert.equal(ended.state, "COMPLETE");
    assert.equal(await content(copy.address, ended), "made\n");
    await writeFile(at("open.gate"), "");
    const continued = await untilRun(again, gated);
    assert.deepEqual([continued.state, continued.state_reason], ["COMPLETE", null]);
    assert.equal(await content(copy.address, continued), "made\n");
    const { jobs } = await again("GET /api/runs/{run_id}/jobs", { params: { run_id: gated } });
    assert.deepEqual(jobs.map(({ step, attempt }) => `${step} ${attempt}`).toSorted(), ["first 1", "second 2"]);
    assert.equal(await readFile(at("open.log"), "utf8"), "ran\n");
    assert.match(await readlink(at(`elsewhere/runs/${done}/jobs/second@1/in/0/text.txt`)), /elsewhere/);
    await copy.stop("SIGTERM");
  });

  it("say that runs cannot continue without files", async () => {
    const { stdout } = await expectSuccess(["restore", at("alone"), "--state", at("log-alone")]);
    assert.match(stdout, /2 runs, 2 files, all checked\n1 run had not finished: this backup has no files/);
    await writeFile(at("open.gate"), "");
    const server = await open(at("log-alone"));
    const client = createClient(server.address);
    const { runs } = await client("GET /api/runs", {});
    const ids = runs.flatMap((run) => (typeof run === "string" ? [] : [run.run_id]));
    const ended = await Promise.all(ids.map((id) => untilRun(client, id)));
    const states = ended.map(({ name, state, state_reason: reason }) => `${name} ${state} ${reason?.code ?? ""}`);
    assert.deepEqual(states.toSorted(), ["done COMPLETE ", "open SYSTEM_ERROR STAGE_IN"]);
    await server.stop("SIGTERM");
  });

  it("refuse a backup that is damaged, and leave nothing behind", async () => {
    const manifest = at("copy/manifest.jsonl");
    const whole = await readFile(manifest, "utf8");
    const [path = ""] = [...whole.matchAll(/"path":"([^"]*text\.txt)","mode"/g)].map((match) => match[1] ?? "");
    const escaping = `${JSON.stringify({ kind: "folder", path: "../../out" })}\n`;
    const damages: readonly (readonly [() => Promise<void>, RegExp])[] = [
      [() => appendFile(at(`copy/${path}`), "x"), /text\.txt of the backup is damaged/],
      [() => rm(at(`copy/${path}`)), /lacks the file .*text\.txt/],
      [() => writeFile(manifest, whole.split("\n").slice(0, 2).join("\n")), /manifest\.jsonl is incomplete/],
      [() => writeFile(manifest, "no\n"), /manifest\.jsonl:1/],
      [() => writeFile(manifest, escaping), /manifest\.jsonl:1: .* a path that no backup of Weft contains/],
    ];
    for (const [damage, message] of damages) {
      await damage();
      await expectExit(["restore", at("copy"), "--state", at("never")], 1, message);
      await assert.rejects(readFile(at("never/weft.db")), { code: "ENOENT" });
    }
  });

  const refusals: [string, string[], number, RegExp][] = [
    ["a folder that is not a state folder", ["backup", "--state", root, at("x")], 1, /no Weft state folder/],
    ["a target that exists", ["backup", "--state", at("elsewhere"), root], 1, /already exists/],
    ["no target", ["backup"], 2, /missing required argument .target./],
    ["a folder that is not a backup", ["restore", root, "--state", at("x")], 1, /no Weft backup/],
    ["a folder in use", ["restore", at("alone"), "--state", root], 1, /is not empty/],
    ["no state folder", ["restore", at("alone")], 2, /--state DIR/],
  ];
  for (const [name, args, code, message] of refusals)
    it(`refuse ${name}`, async () => void (await expectExit(args, code, message)));
});
