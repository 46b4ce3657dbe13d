import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, describe, it } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { openEngine } from "../../src/open-engine.ts";
import { writeCrateFolder } from "../../src/provenance/crate/write-crate-folder.ts";
import { findingText } from "../../src/provenance/verify/finding.ts";
import { verifyCrate } from "../../src/provenance/verify/verify-crate.ts";
import { writeTestCatalog } from "../test-catalog.ts";
import { writeCrateCatalog } from "./crate-catalog.ts";
import { crateViolations } from "./crate-rules.ts";
import type { Entity } from "./crate-rules.ts";

const root = await mkdtemp(join(tmpdir(), "weft-crate-"));
const catalogFolder = join(root, "catalog");
await writeTestCatalog(catalogFolder);
await writeCrateCatalog(catalogFolder);
const engine = await openEngine({
  version: "7.8.9",
  stateFolder: join(root, "state"),
  catalogFolder,
  dataFolders: {},
  jobs: 2,
  retryDelaysMs: [0],
  maxUploadBytes: 1000,
  log: () => {},
});
after(async () => {
  await engine.stop("cancel");
  await rm(root, { recursive: true });
});

const caller = { principal: "ann", links: createLinks("http://weft.test") };
const file = (name: string) => ({ class: "File", location: `weft-data://catalog/data/${name}` });

async function runToEnd(body: CreateRun, isToAbort = false): Promise<Run> {
  const { run } = await engine.runs.create(caller, { body, idempotencyKey: undefined });
  for (;;) {
    const at = engine.runs.get(caller, run.run_id);
    if (isFinal(at.state)) return at;
    if (isToAbort && at.job_counts.RUNNING !== undefined) await engine.runs.abort(caller, run.run_id, 10_000);
    else await engine.runs.waitForChange(run.run_id, at.revision, 10_000, new AbortController().signal);
  }
}

interface WrittenCrate {
  readonly folder: string;
  readonly graph: readonly Entity[];
  readonly violations: readonly string[];
  readonly of: (type: string) => readonly Entity[];
}

let count = 0;
async function crateOf(run: Run): Promise<WrittenCrate> {
  const folder = join(root, `crate-${++count}`);
  await writeCrateFolder(await engine.provenance.crate(caller, run.run_id), folder);
  const metadata = JSON.parse(await readFile(join(folder, "ro-crate-metadata.json"), "utf8")) as {
    readonly "@graph": readonly Entity[];
  };
  const graph = metadata["@graph"];
  return {
    folder,
    graph,
    violations: crateViolations(metadata, await payloadOf(folder)),
    of: (type) => graph.filter((entity) => [entity["@type"]].flat().includes(type)),
  };
}

async function payloadOf(folder: string) {
  const payload = new Map<string, { sha256: string; size: number }>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === "ro-crate-metadata.json") continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    const sha256 = createHash("sha256").update(content).digest("hex");
    payload.set(relative(folder, path), { sha256, size: content.length });
  }
  return payload;
}

const nested: CreateRun = {
  network: "nested",
  inputs: { texts: [file("one.bam"), file("other/one.bam"), file("empty.bam")] },
};
const CASES: readonly (readonly [string, CreateRun, Run["state"], boolean?])[] = [
  ["a plain scatter", { network: "shout-all", inputs: { texts: [file("one.txt"), file("two.txt")] } }, "COMPLETE"],
  ["a scatter of nested networks with folders, files beside files and a step that did not run", nested, "COMPLETE"],
  ["a run that failed", { network: "act-all", inputs: { hows: ["0", "3"] } }, "EXECUTOR_ERROR"],
  ["a run that was aborted", { network: "act-all", inputs: { hows: ["hang"] } }, "CANCELED", true],
  ["a job that was tried again", { tool: "third-time", inputs: { counter: join(root, "n") } }, "COMPLETE"],
  ["a tool by itself", { tool: "shout", version: "1.2.0", inputs: { text: file("one.bam"), word: "x" } }, "COMPLETE"],
  [
    "a network in which every job was tried again",
    { network: "act-all", inputs: { hows: ["4"] }, options: { retries: 1 } },
    "EXECUTOR_ERROR",
  ],
  ["a network without anything to do", { network: "shout-all", inputs: { texts: [] } }, "COMPLETE"],
];

describe("the crate of a run", () => {
  for (const [what, body, state, isToAbort] of CASES) {
    it(`keeps every rule of the profiles for ${what}, and nothing in it was changed`, async () => {
      const run = await runToEnd(body, isToAbort);
      assert.equal(run.state, state, run.state_reason?.message ?? "");
      const crate = await crateOf(run);
      assert.deepEqual(crate.violations, []);
      assert.deepEqual((await verifyCrate(crate.folder)).findings, []);
    });
  }

  it("tells a scatter of a network as one control of its calls, and each call's jobs by the steps within", async () => {
    const { of } = await crateOf(await runToEnd(nested));
    const controls = Object.fromEntries(of("ControlAction").map((one) => [one["@id"], [one["object"]].flat().length]));
    assert.deepEqual(controls, {
      "#control/each/once": 3,
      "#control/each/again": 3,
      "#control/folder": 1,
      "#control/each": 3,
    });
    const tools = of("SoftwareApplication").map((one) => [one["name"], one["softwareVersion"]]);
    assert.deepEqual(tools, [
      ["Weft", "7.8.9"],
      ["Shout", "1.2.0"],
      ["folder", "1.0.0"],
    ]);
  });

  it("keeps files apart that hold the same, and takes the published copy for what the job wrote", async () => {
    const texts = [file("one.txt"), file("one.txt")];
    const { of, graph } = await crateOf(await runToEnd({ network: "shout-all", inputs: { texts } }));
    const louds = of("File").filter((one) => String(one["@id"]).startsWith("outputs/"));
    assert.deepEqual(
      louds.map((one) => one["@id"]),
      ["outputs/one.loud.txt", "outputs/one.loud_2.txt"],
    );
    assert.equal(new Set(louds.map((one) => one["sha256"])).size, 1);
    const made = graph.filter((one) => String(one["@id"]).startsWith("#job/")).map((one) => one["result"]);
    assert.deepEqual(
      made.filter((result) => result !== undefined),
      [{ "@id": "outputs/one.loud.txt" }, { "@id": "outputs/one.loud_2.txt" }],
    );
  });

  it("tells what failed and keeps the attempts before the last", async () => {
    const { of, graph } = await crateOf(await runToEnd({ tool: "third-time", inputs: { counter: join(root, "m") } }));
    const actions = of("CreateAction").map((one) => [one["@id"], String(one["actionStatus"]).split("/").at(-1)]);
    assert.deepEqual(actions, [
      ["#job/main/attempt/1", "FailedActionStatus"],
      ["#job/main/attempt/2", "FailedActionStatus"],
      ["#job/main", "CompletedActionStatus"],
    ]);
    assert.match(String(graph.find((one) => one["@id"] === "#job/main/attempt/1")?.["error"]), /TOOL_EXIT.*75/);
  });

  it("names what is not there any more by its address", async () => {
    const run = await runToEnd({ network: "shout-all", inputs: { texts: [file("two.txt")] } });
    const input = join(catalogFolder, "data/two.txt");
    const text = await readFile(input, "utf8");
    await rm(input);
    const { of, violations } = await crateOf(run);
    await writeFile(input, text);
    assert.deepEqual(violations, []);
    const gone = of("File").find((one) => one["@id"] === "weft-data://catalog/data/two.txt");
    assert.equal(gone?.["sha256"], createHash("sha256").update(text).digest("hex"));
  });

  it("names the tools of a reproduced run as the catalog did, and tells no difference where there is none", async () => {
    const original = await runToEnd(nested);
    const { run_id: runId } = await engine.runs.reproduce(caller, original.run_id, {});
    for (let run = original; run.reproduction?.verdict == null; run = engine.runs.get(caller, runId))
      await engine.runs.waitForChange(runId, run.revision, 10_000, new AbortController().signal);
    const again = engine.runs.get(caller, runId);
    assert.deepEqual(again.reproduction?.verdict?.surroundings, []);
    assert.equal(again.reproduction?.verdict?.result, "identical");
    const tools = (await crateOf(again)).of("SoftwareApplication").map((one) => one["softwareVersion"]);
    assert.deepEqual(tools, ["7.8.9", "1.2.0", "1.0.0"]);
  });

  it("is refused while the run goes on", async () => {
    const body = { tool: "act", inputs: { how: "hang" } };
    const { run } = await engine.runs.create(caller, { body, idempotencyKey: undefined });
    await assert.rejects(async () => engine.provenance.crate(caller, run.run_id), { code: "conflict" });
    await engine.runs.abort(caller, run.run_id, 10_000);
  });
});

describe("verifyCrate", () => {
  const tampering: [string, (folder: string) => Promise<unknown>, RegExp][] = [
    [
      "an output",
      (at) => appendFile(join(at, "outputs/one.loud.txt"), "!"),
      /^file outputs\/one\.loud\.txt: its content/,
    ],
    ["a file that was taken away", (at) => rm(join(at, "inputs.json")), /^file inputs\.json: is gone/],
    ["a file that was put there", (at) => writeFile(join(at, "outputs/more.txt"), ""), /more\.txt: is not listed/],
    ["the document", (at) => appendFile(join(at, "workflow.cwl"), " "), /^file workflow\.cwl: its content/],
    [
      "an event",
      (at) => replaceIn(join(at, "weft/events.jsonl"), '"exit_code":0', '"exit_code":1'),
      /^event \d+ \(job\.(exited|ended) of job shout-0 .* does not fit its hash/,
    ],
    [
      "a recorded object",
      (at) => replaceIn(join(at, "weft/documents.jsonl"), "one.txt", "two.txt"),
      /^document sha256:[0-9a-f]{64}: its text was changed/,
    ],
    ["an output together with its entry in the metadata", forge, /^output one\.loud\.txt: no file has the content/],
  ];
  for (const [what, tamper, expected] of tampering) {
    it(`finds ${what} that was changed`, async () => {
      const { folder } = await crateOf(await plain);
      const copy = `${folder}-tampered`;
      await cp(folder, copy, { recursive: true });
      await tamper(copy);
      const texts = (await verifyCrate(copy)).findings.map(findingText);
      assert.ok(
        texts.some((text) => expected.test(text)),
        `${String(expected)} is not among:\n${texts.join("\n")}`,
      );
    });
  }
});

const plain = runToEnd({ network: "shout-all", inputs: { texts: [file("one.txt")] } });

async function replaceIn(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(path, "utf8");
  assert.ok(text.includes(from));
  await writeFile(path, text.replace(from, to));
}

/** Somebody who knows how crates are made. */
async function forge(folder: string): Promise<void> {
  const path = join(folder, "outputs/one.loud.txt");
  const before = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  await writeFile(path, "TWO\n");
  const after = createHash("sha256").update("TWO\n").digest("hex");
  await replaceIn(join(folder, "ro-crate-metadata.json"), before, after);
}

describe("crateViolations", () => {
  const faults: [string, (graph: Map<string, Record<string, unknown>>) => void, RegExp][] = [
    ["a reference that leads nowhere", (graph) => (at(graph, "./")["author"] = { "@id": "#x" }), /leads nowhere: #x/],
    ["a missing licence", (graph) => delete at(graph, "./")["license"], /has no license/],
    ["a wrong checksum", (graph) => (at(graph, "README.md")["sha256"] = "0"), /README\.md has another content/],
    ["a file that is not part of the crate", (graph) => (at(graph, "./")["hasPart"] = []), /not reached by hasPart/],
    ["a time with Z", (graph) => (at(graph, "#job/shout-0")["endTime"] = "2026-01-01T00:00:00.000Z"), /wrong endTime/],
    ["an action without instrument", (graph) => delete at(graph, "#job/shout-0")["instrument"], /has no instrument/],
    ["a step that nothing reaches", (graph) => delete at(graph, "workflow.cwl")["step"], /is not reached by step/],
    [
      "a parameter without type",
      (graph) => delete at(graph, "#parameter/main/in/texts")["additionalType"],
      /additionalType/,
    ],
    [
      "a control without jobs",
      (graph) => delete at(graph, "#control/shout")["object"],
      /are not of the type CreateAction/,
    ],
    [
      "an application that did nothing",
      (graph) => delete at(graph, "#organization")["instrument"],
      /nothing was done with/,
    ],
  ];
  for (const [what, plant, expected] of faults) {
    it(`finds ${what}`, async () => {
      const { graph, folder } = await crateOf(await plain);
      const copy = structuredClone(graph) as Record<string, unknown>[];
      plant(new Map(copy.map((entity) => [String(entity["@id"]), entity])));
      const found = crateViolations({ "@graph": copy }, await payloadOf(folder));
      assert.ok(
        found.some((sentence) => expected.test(sentence)),
        found.join("\n"),
      );
    });
  }
});

function at(graph: Map<string, Record<string, unknown>>, start: string): Record<string, unknown> {
  const found = graph.get(start) ?? [...graph].find(([id]) => id.startsWith(`${start}/`))?.[1];
  assert.ok(found, `there is no ${start}`);
  return found;
}
