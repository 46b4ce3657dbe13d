import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, describe, it } from "node:test";
import type { DraftGroup } from "@weft/shared/records/draft-group-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { zipArchive } from "../src/archive/zip-archive.ts";
import { DEFAULT_DOWNLOADS } from "../src/files/remote/download-store.ts";
import { allowHosts } from "../src/files/remote/http-policy.ts";
import { startWebServer, text } from "../src/files/remote/testing/web-server.ts";
import { caller, endedRun } from "../src/testing/drive-runs.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { column } from "../src/testing/columns.ts";
import type { Program } from "../src/testing/scripted-executor.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
# a comment that stays
baseCommand: [sh]
arguments: [$(inputs.script)]
inputs:
  script: {type: File, default: {class: File, location: scripts/run.sh}}
  word: {type: string, inputBinding: {position: 1}}
outputs: {said: stdout}
stdout: said.txt
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs: {word: string}
outputs: {said: {type: File, outputSource: say/said}}
steps:
  say: # here
    run: ../tools/say.cwl
    in: {word: word}
    out: [said]
`;
const PACKED = `cwlVersion: v1.2
$graph:
  - class: CommandLineTool
    id: "#echo.cwl"
    baseCommand: echo
    inputs: [{id: "#echo.cwl/word", type: string, inputBinding: {}}]
    outputs: [{id: "#echo.cwl/said", type: stdout}]
  - class: Workflow
    id: "#main"
    inputs: [{id: "#main/word", type: string}]
    outputs: [{id: "#main/said", type: File, outputSource: "#main/one/said"}]
    steps:
      - id: "#main/one"
        run: "#echo.cwl"
        in: [{id: "#main/one/word", source: "#main/word"}]
        out: ["#main/one/said"]
`;
const TEST = 'inputs: {word: a}\noutputs: {said: {contents: "a\\n"}}\n';
const SCRIPT = 'echo "$1"\n';
/** The behavior of the script. */
const sh: Program = ({ args: [, word = ""], print }) => print(`${word}\n`);

async function start(hosts: readonly string[] = []) {
  const downloadSettings = { ...DEFAULT_DOWNLOADS, policy: allowHosts(hosts) };
  const { engine, root } = await serveFiles({}, { programs: { sh }, downloadSettings });
  const drafts = draftsOf(engine);
  const zip = (files: Readonly<Record<string, string>>, collisions: "new-version" | "new-id" = "new-version") => {
    const entries = Object.entries(files).map(([name, text]) => ({ kind: "text", name, text }) as const);
    return drafts.importZip(caller, { content: zipArchive(entries, new Date()), title: "x.zip", collisions });
  };
  return { engine, root, drafts, zip };
}

/** Tests share it for imports from which nothing is published. */
const shared = await start();
const { zip } = shared;

const shown = ({ drafts }: DraftGroup) =>
  drafts.map(({ draft, version, status }) => `${draft.kind} ${draft.id} ${version} ${status}`).sort();
const seen = ({ drafts }: DraftGroup) =>
  drafts.map(({ draft }) => ({ draft_id: draft.draft_id, revision: draft.revision }));
const refused = (words: RegExp) => (error: unknown) => error instanceof Refusal && words.test(error.message);

describe("an import", () => {
  it("turns a folder into drafts that refer to each other, run, and are published together", async () => {
    const { engine, root, drafts, zip } = await start();
    const group = await zip({
      "lab/tools/say.cwl": TOOL,
      "lab/tools/scripts/run.sh": SCRIPT,
      "lab/flows/greet.cwl": NETWORK,
      "lab/flows/tests/a.yml": TEST,
      "lab/README.md": "read me",
    });
    assert.deepEqual(shown(group), ["network greet 1.0.0 valid", "tool say 1.0.0 valid"]);
    assert.ok(group.notes.some(({ subject, text }) => subject === "lab/README.md" && /used by no document/.test(text)));
    const greet = group.drafts.find(({ draft }) => draft.id === "greet")?.draft.draft_id ?? "";
    const { text } = await drafts.get(caller, greet);
    assert.equal(text, NETWORK.replace("../tools/say.cwl", "../../../tools/say/1.0.0/say.cwl"));
    const { run } = await drafts.run(caller, greet, { body: { inputs: { word: "hi" } }, idempotencyKey: undefined });
    assert.equal((await endedRun(engine, run.run_id)).state, "COMPLETE");
    await drafts.publishGroup(caller, group.group_id, { drafts: seen(group), anyway: true });
    const folder = join(root, "catalog/tools/say/1.0.0");
    assert.equal(await readFile(join(folder, "say.cwl"), "utf8"), TOOL);
    assert.equal(await readFile(join(folder, "scripts/run.sh"), "utf8"), SCRIPT);
    assert.deepEqual(engine.catalog.getNetwork(caller, "greet", undefined).validation.issues, []);
    assert.deepEqual(await readdir(join(root, "state/imports")), []);
  });

  it("turns a packed document into tools and networks with short IDs", async () => {
    const { drafts, zip } = await start();
    const group = await zip({ "hello.cwl": PACKED });
    assert.deepEqual(shown(group), ["network hello 1.0.0 valid", "tool echo 1.0.0 valid"]);
    assert.ok(group.notes.some(({ text }) => /split into 2 tools and networks/.test(text)));
    const main = group.drafts.find(({ draft }) => draft.kind === "network")?.draft.draft_id ?? "";
    const { text } = await drafts.get(caller, main);
    assert.match(text, /run: \.\.\/\.\.\/\.\.\/tools\/echo\/1\.0\.0\/echo\.cwl/);
    assert.doesNotMatch(text, /#main|\$graph/);
    const { published } = await drafts.publishGroup(caller, group.group_id, { drafts: seen(group) });
    assert.equal(published.length, 2);
    // A second import of equal files is known, and creates nothing.
    await assert.rejects(zip({ "hello.cwl": PACKED }), refused(/nothing to import.*same as the tool echo 1\.0\.0/));
  });

  it("avoids names in use, and uses versions of the catalog on request", async () => {
    const { drafts, zip } = await start();
    const first = await zip({ "say.cwl": TOOL.replace("scripts/", "bin/"), "bin/run.sh": SCRIPT });
    await drafts.publishGroup(caller, first.group_id, { drafts: seen(first), anyway: true });
    const files = { "a/say.cwl": TOOL, "a/scripts/run.sh": SCRIPT };
    const next = await zip(files);
    assert.deepEqual(shown(next), ["tool say 1.1.0 valid"]);
    const say = next.drafts.find(({ draft }) => draft.id === "say")?.draft.draft_id ?? "";
    assert.deepEqual(column((await drafts.files(caller, say)).files, "path"), ["scripts/run.sh"]);
    const apart = await zip(files, "new-id");
    assert.deepEqual(shown(apart), ["tool say-2 1.0.0 valid"]);
    assert.ok(apart.notes.some(({ text }) => /because the name say is taken/.test(text)));
  });

  it("moves references to types with the file that declares them", async () => {
    const typed = (inputs: string) =>
      `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: echo\nrequirements:\n  SchemaDefRequirement:\n    types: [{$import: ../shapes/shape.yml}]\n${inputs}\noutputs: {}\n`;
    const group = await zip({
      "shapes/shape.yml": "name: shape\ntype: record\nfields: {sides: int}\n",
      "steps/short.cwl": typed("inputs: {s: ../shapes/shape.yml#shape}"),
      "steps/many.cwl": typed("inputs: {s: '../shapes/shape.yml#shape[]?'}"),
      "steps/long.cwl": typed('inputs:\n  s:\n    type: ["null", {type: array, items: ../shapes/shape.yml#shape}]'),
      "steps/list.cwl": typed("inputs: [{id: s, type: ../shapes/shape.yml#shape}]"),
    });
    assert.deepEqual(shown(group), [
      ...["tool list 1.0.0 valid", "tool long 1.0.0 valid", "tool many 1.0.0 valid", "tool short 1.0.0 valid"],
    ]);
  });

  it("runs the tool of its own repository, even after another tool of that name was published", async () => {
    const { root, drafts, zip } = await start();
    const files = (word: string) => ({
      "tools/say.cwl": TOOL.replace("# a comment that stays", `label: ${word}`),
      "tools/scripts/run.sh": SCRIPT,
      "flows/greet.cwl": NETWORK,
    });
    const [mine, other] = [await zip(files("mine")), await zip(files("other"))];
    const draftOf = ({ drafts: all }: DraftGroup, kind: string) => {
      const { draft_id, revision } = all.find(({ draft }) => draft.kind === kind)?.draft ?? assert.fail();
      return { draft_id, revision };
    };
    const [network, tool] = [draftOf(mine, "network"), draftOf(mine, "tool")];
    const alone = drafts.publishGroup(caller, mine.group_id, { drafts: [network], anyway: true });
    await assert.rejects(alone, refused(/runs the tool "say" 1\.0\.0, which is a draft/));
    const single = drafts.publish(caller, network.draft_id, { ...network, version: "1.0.0", anyway: true });
    await assert.rejects(single, refused(/runs the tool "say"/));
    await drafts.publishGroup(caller, other.group_id, { drafts: [draftOf(other, "tool")], anyway: true });
    const shownTool = async () => {
      const { network: seenNetwork } = await drafts.check(caller, network.draft_id, undefined);
      return JSON.stringify(seenNetwork);
    };
    assert.match(await shownTool(), /"label":"mine"/);
    await drafts.publish(caller, tool.draft_id, { ...tool, version: "1.0.1", anyway: true });
    assert.match(await shownTool(), /"label":"mine"/);
    const { revision } = await drafts.get(caller, network.draft_id);
    await drafts.publish(caller, network.draft_id, { revision, version: "1.0.0", anyway: true });
    const published = await readFile(join(root, "catalog/networks/greet/1.0.0/greet.cwl"), "utf8");
    assert.match(published, /tools\/say\/1\.0\.1\/say\.cwl/);
  });

  it("reports missing and broken files, and imports the rest", async () => {
    const group = await zip({ "flow.cwl": NETWORK, "broken.cwl": "class: [", "data.txt": "x", ".hidden/x": "x" });
    assert.deepEqual(shown(group), ["network flow 1.0.0 invalid"]);
    assert.ok(group.notes.some(({ subject, level }) => subject === "broken.cwl" && level === "error"));
    assert.ok(group.notes.some(({ subject, text }) => subject === ".hidden/x" && /hidden name/.test(text)));
    assert.ok(group.notes.some(({ text }) => /refers to "\.\.\/tools\/say\.cwl", which was not imported/.test(text)));
    await assert.rejects(zip({ "data.txt": "x" }), refused(/nothing to import/));
  });

  it("reads nothing outside of the import, and refuses hostile zips", async () => {
    const { root, drafts } = shared;
    await writeFile(join(root, "secret.txt"), "top secret");
    const spy = TOOL.replace("[sh]", `{$include: "file://${root}/secret.txt"}`);
    const group = await zip({ "spy.cwl": spy.replace("scripts/run.sh", "../../../secret.txt") });
    assert.doesNotMatch(JSON.stringify(group), /top secret/);
    assert.equal(group.drafts[0]?.status, "invalid");
    const hostile = { title: "x", collisions: "new-version" } as const;
    await assert.rejects(zip({ "../up.cwl": TOOL }), refused(/outside its folder/));
    const noZip = drafts.importZip(caller, { content: Readable.from(["no zip"]), ...hostile });
    await assert.rejects(noZip, refused(/not a valid or complete zip/));
    const large = Readable.from(Array.from({ length: 80 }, () => Buffer.alloc(1024 * 1024)));
    await assert.rejects(drafts.importZip(caller, { content: large, ...hostile }), refused(/at most 64 MiB/));
    assert.deepEqual(await readdir(join(root, "state/imports")), []);
  });

  it("may have dozens of documents", async () => {
    const files = Array.from({ length: 30 }, (_, index) => [
      [`t${index}/t${index}.cwl`, TOOL],
      [`t${index}/scripts/run.sh`, SCRIPT],
    ]);
    const group = await zip(Object.fromEntries(files.flat()));
    assert.equal(group.drafts.length, 30);
    assert.ok(group.drafts.every(({ status }) => status === "valid"));
  });

  it("keeps the text of a document of 1 MB", async () => {
    const text = `${TOOL.replace("scripts/run.sh", "run.sh")}${"# filler\n".repeat(120_000)}`;
    const group = await zip({ "big.cwl": text, "run.sh": SCRIPT });
    assert.equal((await shared.drafts.get(caller, group.drafts[0]?.draft.draft_id ?? "")).text, text);
  });
});

describe("an import from an address", async () => {
  const web = await startWebServer({
    "/lab/flows/greet.cwl": text(NETWORK),
    "/lab/tools/say.cwl": text(TOOL),
    "/lab/tools/scripts/run.sh": text(SCRIPT),
    "/loop.cwl": text("cwlVersion: v1.2\n$import: /loop.cwl\n"),
  });
  after(() => web.close());

  it("follows references on the same server", async () => {
    const { drafts } = await start(["127.0.0.1"]);
    const importFrom = (path: string) => drafts.importUrl(caller, { url: `${web.address}${path}` });
    const found = shown(await importFrom("/lab/flows/greet.cwl"));
    assert.deepEqual(found, ["network greet 1.0.0 valid", "tool say 1.0.0 valid"]);
    await assert.rejects(importFrom("/loop.cwl"), refused(/nothing to import/));
    await assert.rejects(importFrom("/none.cwl"), refused(/cannot be imported.*404/));
  });

  it("asks only hosts that the server may contact", async () => {
    const importFrom = (url: string) => shared.drafts.importUrl(caller, { url });
    for (const url of [`${web.address}/lab/flows/greet.cwl`, "https://example.org/a.cwl", "trs://example.org/a/1"])
      await assert.rejects(importFrom(url), refused(/cannot be imported/), url);
    for (const url of ["file:///etc/passwd", "/etc/passwd", "ftp://example.org/a.cwl"])
      await assert.rejects(importFrom(url), refused(/neither an http/), url);
  });
});
