import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { DraftGroup } from "@weft/shared/records/draft-group-record.ts";
import type { Engine } from "../src/port/engine.ts";
import { caller, untilEvent } from "../src/testing/drive-runs.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { column, columns } from "../src/testing/columns.ts";

const tool = (inputs: string, outputs: string) => `cwlVersion: v1.2
class: CommandLineTool
baseCommand: echo
inputs: ${inputs}
outputs: ${outputs}
stdout: said.txt
`;
const OLD = tool(
  "{word: {type: string, inputBinding: {}}}",
  "{said: stdout, more: {type: File?, outputBinding: {glob: no}}}",
);
const NEW = tool(
  "{word: {type: string, inputBinding: {}}, loud: {type: boolean, default: false}, who: string}",
  "{said: stdout}",
);
const network = (run: string, more = "") => `cwlVersion: v1.2
class: Workflow
inputs: {word: string}
outputs: {said: {type: File, outputSource: say/said}}
steps:
  say: # says it
    run: ${run}
    in: {word: word${more}}
    out: [said]
`;
const RUNS_OLD = '"../../../tools/say/1.0.0/say.cwl" # old';
const TEST = 'inputs: {word: a}\noutputs: {said: {contents: "a\\n"}}\n';

async function start(files: Readonly<Record<string, string>>) {
  const inCatalog = Object.entries(files).map(([path, text]) => [`catalog/${path}`, text]);
  const { engine, root } = await serveFiles(Object.fromEntries(inCatalog));
  return { engine, drafts: draftsOf(engine), catalog: join(root, "catalog") };
}

const TO = { kind: "tool", id: "say", version: "2.0.0" } as const;

async function tested(engine: Engine, id: string): Promise<DraftGroup> {
  let group = await draftsOf(engine).testGroup(caller, id);
  await untilEvent(engine, async () => {
    group = await draftsOf(engine).group(caller, id);
    return group.drafts.every(({ tests }) => tests.passed + tests.failed === tests.total);
  });
  return group;
}

const seen = ({ drafts }: DraftGroup) =>
  drafts.map(({ draft }) => ({ draft_id: draft.draft_id, revision: draft.revision }));

describe("networks on an older version", () => {
  it("are listed with the changes and problems of an upgrade", async () => {
    const embedded = network("../../tools/say/1.0.0/say.cwl").replaceAll("\n", "\n      ");
    const { drafts } = await start({
      "tools/say/1.0.0/say.cwl": OLD,
      "tools/say/2.0.0/say.cwl": NEW,
      "networks/up-to-date/1.0.0/up-to-date.cwl": network("../../../tools/say/2.0.0/say.cwl", ", who: word"),
      "networks/behind/1.0.0/behind.cwl": network(RUNS_OLD),
      "networks/behind/1.1.0/behind.cwl": network(RUNS_OLD)
        .replace("[said]", "[said, more]")
        .replace("outputs: {", "outputs: {more: {type: File?, outputSource: say/more}, "),
      "networks/plain/plain.cwl": `cwlVersion: v1.2\nclass: Workflow\nrequirements: {SubworkflowFeatureRequirement: {}}\ninputs: {word: string}\noutputs: []\nsteps:\n  outer:\n    in: {word: word}\n    out: [said]\n    run:\n      ${embedded.replace("cwlVersion: v1.2\n      ", "")}`,
    });
    const networks = await drafts.outdated(caller, TO);
    assert.deepEqual(columns(networks, "id", "version", "steps", "other_versions"), [
      ["behind", "1.1.0", [{ step: "say", version: "1.0.0" }], ["1.0.0"]],
      ["plain", null, [{ step: "outer/say", version: "1.0.0" }], []],
    ]);
    assert.deepEqual(networks[0]?.changes.map(({ text }) => text).sort(), [
      "The input loud was added",
      "The input who was added and is required",
      "The output more was removed",
    ]);
    assert.deepEqual(networks[0]?.problems, [
      "The step say does not provide the input who, which is required",
      "The network uses the output more of the step say, which was removed",
    ]);
    assert.deepEqual(await drafts.outdated(caller, { ...TO, version: "1.0.0" }), []);
    await assert.rejects(drafts.outdated(caller, { ...TO, version: "9" }), Refusal);
  });

  it("are upgraded together: edited, tested and published at once", async () => {
    const { engine, drafts, catalog } = await start({
      "tools/say/1.0.0/say.cwl": OLD,
      "tools/say/2.0.0/say.cwl": OLD.replace("baseCommand: echo", "baseCommand: [echo]\nlabel: New"),
      "networks/one/1.0.0/one.cwl": network(RUNS_OLD),
      "networks/one/1.0.0/tests/a.yml": TEST,
      "networks/two/two.cwl": network("../../tools/say/1.0.0/say.cwl"),
      "networks/two/tests/a.yml": TEST,
    });
    const group = await drafts.upgrade(caller, { ...TO, networks: ["one", "two"] });
    assert.deepEqual(
      group.drafts.map(({ draft, version, status, reasons }) => [draft.id, version, status, reasons[0]?.level]),
      [
        ["one", "1.0.1", "valid", "patch"],
        ["two", "1.0.0", "valid", "patch"],
      ],
    );
    const one = await drafts.get(caller, group.drafts[0]?.draft.draft_id ?? "");
    assert.equal(one.text, network(RUNS_OLD.replace("1.0.0", "2.0.0")));
    await assert.rejects(
      drafts.publishGroup(caller, group.group_id, { drafts: seen(group) }),
      (error) => error instanceof Refusal && error.code === "conflict" && error.errors.length === 2,
    );
    const after = await tested(engine, group.group_id);
    assert.ok(after.drafts.every(({ tests }) => tests.passed === 1));
    const { published } = await drafts.publishGroup(caller, group.group_id, { drafts: seen(after) });
    assert.deepEqual(columns(published, "id", "version"), [
      ["one", "1.0.1"],
      ["two", "1.0.0"],
    ]);
    const two = await readFile(join(catalog, "networks/two/1.0.0/two.cwl"), "utf8");
    assert.match(two, /run: \.\.\/\.\.\/\.\.\/tools\/say\/2\.0\.0/);
    assert.deepEqual(await drafts.outdated(caller, TO), []);
    assert.deepEqual((await readdir(catalog)).sort(), ["networks", "tools"]);
    await assert.rejects(drafts.group(caller, group.group_id), Refusal);
  });

  it("are all published, or none is", async () => {
    const { drafts, catalog } = await start({
      "tools/say/1.0.0/say.cwl": OLD,
      "tools/say/2.0.0/say.cwl": NEW,
      "networks/one/1.0.0/one.cwl": network(RUNS_OLD, ", who: word"),
      "networks/two/1.0.0/two.cwl": network(RUNS_OLD),
    });
    const group = await drafts.upgrade(caller, { ...TO, networks: ["one", "two"] });
    assert.deepEqual(column(group.drafts, "status"), ["valid", "invalid"]);
    const publish = drafts.publishGroup(caller, group.group_id, { drafts: seen(group) });
    const message =
      /two: The draft cannot run: its document has an error\. The first: [^:]+:8:5: [^:]+: say needs `who`[^:]+$/;
    await assert.rejects(publish, { name: Refusal.name, message });
    assert.equal(existsSync(join(catalog, "networks/one/1.1.0")), false);
    assert.equal((await drafts.list(caller)).length, 2);
    await drafts.discardGroup(caller, group.group_id);
    assert.deepEqual(await drafts.list(caller), []);
    await assert.rejects(drafts.upgrade(caller, { ...TO, networks: ["none"] }), Refusal);
  });

  it("may be many", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const { drafts, catalog } = await start({
      "tools/say/1.0.0/say.cwl": OLD,
      "tools/say/2.0.0/say.cwl": OLD.replace("echo", "printf"),
      ...Object.fromEntries(names.map((name) => [`networks/${name}/1.0.0/${name}.cwl`, network(RUNS_OLD)])),
    });
    assert.equal((await drafts.outdated(caller, TO)).length, 12);
    const group = await drafts.upgrade(caller, { ...TO, networks: names });
    assert.ok(group.drafts.every(({ status }) => status === "valid"));
    const { published } = await drafts.publishGroup(caller, group.group_id, { drafts: seen(group) });
    assert.equal(published.length, 12);
    assert.equal((await readdir(join(catalog, "networks/n11"))).length, 2);
    assert.deepEqual(await drafts.outdated(caller, TO), []);
  });
});
