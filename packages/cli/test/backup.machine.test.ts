import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createClient } from "@weft/shared/routes/client.ts";
import type { Client } from "@weft/shared/routes/client.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = await mkdtemp(join(tmpdir(), "weft-backup-"));
after(() => rm(root, { recursive: true }));
const state = join(root, "state");

/** A network whose second job waits until a file is there. */
async function writeCatalog(): Promise<string> {
  const place = join(root, "catalog/networks/gate");
  await mkdir(place, { recursive: true });
  await mkdir(join(root, "catalog/tools"), { recursive: true });
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
  const network = {
    cwlVersion: "v1.2",
    class: "Workflow",
    inputs: { gate: "string", log: "string" },
    outputs: { text: { type: "File", outputSource: "second/text" } },
    steps: {
      first: { run: first, in: { log: "log" }, out: ["text"] },
      second: { run: second, in: { gate: "gate", text: "first/text" }, out: ["text"] },
    },
  };
  await writeFile(join(place, "gate.cwl"), JSON.stringify(network));
  return join(root, "catalog");
}

const catalog = await writeCatalog();

const open = (folder: string) => serve(["--state", folder, "--catalog", catalog]);

function post(client: Client, name: string): Promise<string> {
  const inputs = { gate: join(root, `${name}.gate`), log: join(root, `${name}.log`) };
  return startRun(client, { network: "gate", name, inputs });
}

async function content(address: string, run: Run): Promise<string> {
  assert.ok(run.outputs);
  const { location } = run.outputs["text"] as { readonly location: string };
  return (await fetch(new URL(location, address))).text();
}

describe("weft backup and weft restore", () => {
  it("move finished runs with their files, and runs that then continue, to another folder", async () => {
    const first = await open(state);
    const client = createClient(first.address);
    await writeFile(join(root, "done.gate"), "");
    const done = await post(client, "done");
    await untilRun(client, done);
    const gated = await post(client, "open");
    await untilRun(client, gated, ({ job_counts: counts }) => counts.COMPLETE === 1 && counts.RUNNING === 1);

    const backup = await weft(["backup", "--state", state, "--with-files", join(root, "copy")]);
    assert.equal(backup.code, 0, backup.stderr);
    const alone = await weft(["backup", "--state", state, join(root, "alone")]);
    assert.match(alone.stdout, /the log \(\d+ bytes\), up to event \d+/);

    await writeFile(join(root, "open.gate"), "");
    await untilRun(client, gated);
    await first.stop("SIGTERM");
    // The original is gone: nothing in the copy may refer to it.
    await rm(state, { recursive: true });
    await rm(join(root, "open.gate"));

    const restored = await weft(["restore", join(root, "copy"), "--state", join(root, "elsewhere")]);
    assert.equal(restored.code, 0, restored.stderr);
    assert.match(restored.stdout, /2 runs, \d+ files, all checked\n1 run had not ended/);
    const second = await open(join(root, "elsewhere"));
    const again = createClient(second.address);
    const ended = await untilRun(again, done);
    assert.equal(ended.state, "COMPLETE");
    assert.equal(await content(second.address, ended), "made\n");
    await writeFile(join(root, "open.gate"), "");
    const continued = await untilRun(again, gated);
    assert.deepEqual([continued.state, continued.state_reason], ["COMPLETE", null]);
    assert.equal(await content(second.address, continued), "made\n");
    const { jobs } = await again("GET /api/runs/{run_id}/jobs", { params: { run_id: gated } });
    assert.deepEqual(jobs.map(({ step, attempt }) => `${step} ${attempt}`).toSorted(), ["first 1", "second 2"]);
    assert.equal(await readFile(join(root, "open.log"), "utf8"), "ran\n");
    const staged = join(root, "elsewhere/runs", done, "jobs/second@1/in/0/text.txt");
    assert.match(await readlink(staged), /elsewhere/);
    await second.stop("SIGTERM");
  });

  it("say that runs cannot continue without files", async () => {
    const restored = await weft(["restore", join(root, "alone"), "--state", join(root, "log-alone")]);
    assert.match(restored.stdout, /2 runs, 2 files, all checked\n1 run had not ended: this backup has no files/);
    await writeFile(join(root, "open.gate"), "");
    const server = await open(join(root, "log-alone"));
    const client = createClient(server.address);
    const { runs } = await client("GET /api/runs", {});
    const ids = runs.flatMap((run) => (typeof run === "string" ? [] : [run.run_id]));
    const ended = await Promise.all(ids.map((id) => untilRun(client, id)));
    const states = ended.map(({ name, state, state_reason: reason }) => `${name} ${state} ${reason?.code ?? ""}`);
    assert.deepEqual(states.toSorted(), ["done COMPLETE ", "open SYSTEM_ERROR STAGE_IN"]);
    await server.stop("SIGTERM");
  });

  it("refuse a backup that is damaged, and leave nothing behind", async () => {
    const damaged = async (change: () => Promise<void>, expected: RegExp) => {
      await change();
      const result = await weft(["restore", join(root, "copy"), "--state", join(root, "never")]);
      assert.equal(result.code, 1);
      assert.match(result.stderr, expected);
      await assert.rejects(readFile(join(root, "never", "weft.db")), { code: "ENOENT" });
    };
    const manifest = join(root, "copy/manifest.jsonl");
    const whole = await readFile(manifest, "utf8");
    const [path = ""] = [...whole.matchAll(/"path":"([^"]*text\.txt)","mode"/g)].map((match) => match[1] ?? "");
    await damaged(() => appendFile(join(root, "copy", path), "x"), /text\.txt of the backup is damaged/);
    await damaged(() => rm(join(root, "copy", path)), /lacks the file .*text\.txt/);
    await damaged(() => writeFile(manifest, whole.split("\n").slice(0, 2).join("\n")), /manifest\.jsonl is incomplete/);
    await damaged(() => writeFile(manifest, "no\n"), /manifest\.jsonl:1/);
    const escaping = JSON.stringify({ kind: "folder", path: "../../out" });
    await damaged(
      () => writeFile(manifest, `${escaping}\n`),
      /manifest\.jsonl:1: .* a path that no backup of Weft contains/,
    );
  });

  const refusals: [string, string[], number, RegExp][] = [
    ["a folder that is not a state folder", ["backup", "--state", root, join(root, "x")], 1, /no Weft state folder/],
    ["a target that exists", ["backup", "--state", join(root, "elsewhere"), root], 1, /already exists/],
    ["no target", ["backup"], 2, /missing required argument .target./],
    ["a folder that is not a backup", ["restore", root, "--state", join(root, "x")], 1, /no Weft backup/],
    ["a folder in use", ["restore", join(root, "alone"), "--state", root], 1, /is not empty/],
    ["no state folder", ["restore", join(root, "alone")], 2, /--state DIR/],
  ];
  for (const [name, args, code, message] of refusals)
    it(`refuse ${name}`, async () => {
      const result = await weft(args);
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, message);
    });
});
