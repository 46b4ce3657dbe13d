import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { DraftGroup } from "@weft/shared/records/draft-group-record.ts";
import type { Engine } from "../src/port/engine.ts";
import { caller } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { column, columns } from "../src/testing/columns.ts";

const executor = new ScriptedExecutor();

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

async function start(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  writeFiles(join(root, "catalog"), files);
  const engine = await openTestEngine(root, { executor });
  t.after(() => engine.stop("cancel"));
  return { engine, root, catalog: join(root, "catalog") };
}

const TO = { kind: "tool", id: "say", version: "2.0.0" } as const;

async function untilTested(engine: Engine, group: string): Promise<DraftGroup> {
  const { promise, resolve } = Promise.withResolvers<DraftGroup>();
  const look = async () => {
    const found = await draftsOf(engine).group(caller, group);
    if (found.drafts.every(({ tests }) => tests.passed + tests.failed === tests.total)) resolve(found);
  };
  const stop = engine.events.subscribe(() => void look());
  await draftsOf(engine).testGroup(caller, group);
  await look();
  return promise.finally(stop);
}

const seen = ({ drafts }: DraftGroup) =>
  drafts.map(({ draft }) => ({ draft_id: draft.draft_id, revision: draft.revision }));

describe("networks on an older version", () => {
  it("are listed with the changes and problems of an upgrade", async (t) => {
    const embedded = network("../../tools/say/1.0.0/say.cwl").replaceAll("\n", "\n      ");
    const { engine } = await start(t, {
      "tools/say/1.0.0/say.cwl": OLD,
      "tools/say/2.0.0/say.cwl": NEW,
      "networks/up-to-date/1.0.0/up-to-date.cwl": network("../../../tools/say/2.0.0/say.cwl", ", who: word"),
      "networks/behind/1.0.0/behind.cwl": network(RUNS_OLD),
      "networks/behind/1.1.0/behind.cwl": network(RUNS_OLD)
        .replace("[said]", "[said, more]")
        .replace("outputs: {", "outputs: {more: {type: File?, outputSource: say/more}, "),
      "networks/plain/plain.cwl": `cwlVersion: v1.2\nclass: Workflow\nrequirements: {SubworkflowFeatureRequirement: {}}\ninputs: {word: string}\noutputs: []\nsteps:\n  outer:\n    in: {word: word}\n    out: [said]\n    run:\n      ${embedded.replace("cwlVersion: v1.2\n      ", "")}`,
    });
    const networks = await draftsOf(engine).outdated(caller, TO);
    assert.deepEqual(columns(networks, "id", "version", "steps", "other_versions"), [
      ["behind", "1.1.0", [{ step: "say", version: "1.0.0" }], ["1.0.0"]],
      ["plain", null, [{ step: "outer/say", version: "1.0.0" }], []],
    ]);
    assert.deepEqual(networks[0]?.changes.map(({ text }) => text).sort(), [
      "The input loud is new",
      "The input who is new and required",
      "The output more is gone",
    ]);
    assert.deepEqual(networks[0]?.problems, [
      "The step say does not provide the input who, which is required",
      "The network uses the output more of the step say, which is gone",
    ]);
    assert.deepEqual(await draftsOf(engine).outdated(caller, { ...TO, version: "1.0.0" }), []);
    await assert.rejects(draftsOf(engine).outdated(caller, { ...TO, version: "9" }), Refusal);
  });

  it("are upgraded together: edited, tested and published at once", async (t) => {
    const { engine, catalog } = await start(t, {
      "tools/say/1.0.0/say.cwl": OLD,
      "tools/say/2.0.0/say.cwl": OLD.replace("baseCommand: echo", "baseCommand: [echo]\nlabel: New"),
      "networks/one/1.0.0/one.cwl": network(RUNS_OLD),
      "networks/one/1.0.0/tests/a.yml": TEST,
      "networks/two/two.cwl": network("../../tools/say/1.0.0/say.cwl"),
      "networks/two/tests/a.yml": TEST,
    });
    const drafts = draftsOf(engine);
    const group = await drafts.upgrade(caller, { ...TO, networks: ["one", "two"] });
    assert.deepEqual(
      group.drafts.map(({ draft, version, status, reasons }) => [draft.id, version, status, reasons[0]?.level]),
      [
        ["one", "1.0.1", "valid", "patch"],
        ["two", "1.0.0", "valid", "patch"],
      ],
    );
    const [one] = group.drafts;
    assert.equal(
      (await drafts.get(caller, one?.draft.draft_id ?? "")).text,
      network(RUNS_OLD.replace("1.0.0", "2.0.0")),
    );
    await assert.rejects(
      drafts.publishGroup(caller, group.group_id, { drafts: seen(group) }),
      (error) => error instanceof Refusal && error.code === "conflict" && error.errors.length === 2,
    );
    const tested = await untilTested(engine, group.group_id);
    assert.deepEqual(
      tested.drafts.map(({ tests }) => tests.passed),
      [1, 1],
    );
    const { published } = await drafts.publishGroup(caller, group.group_id, { drafts: seen(tested) });
    assert.deepEqual(columns(published, "id", "version"), [
      ["one", "1.0.1"],
      ["two", "1.0.0"],
    ]);
    assert.match(
      await readFile(join(catalog, "networks/two/1.0.0/two.cwl"), "utf8"),
      /run: \.\.\/\.\.\/\.\.\/tools\/say\/2\.0\.0/,
    );
    assert.deepEqual(await drafts.outdated(caller, TO), []);
    assert.deepEqual((await readdir(catalog)).sort(), ["networks", "tools"]);
    await assert.rejects(drafts.group(caller, group.group_id), Refusal);
  });

  it("are all published, or none is", async (t) => {
    const { engine, catalog } = await start(t, {
      "tools/say/1.0.0/say.cwl": OLD,
      "tools/say/2.0.0/say.cwl": NEW,
      "networks/one/1.0.0/one.cwl": network(RUNS_OLD, ", who: word"),
      "networks/two/1.0.0/two.cwl": network(RUNS_OLD),
    });
    const drafts = draftsOf(engine);
    const group = await drafts.upgrade(caller, { ...TO, networks: ["one", "two"] });
    assert.deepEqual(column(group.drafts, "status"), ["valid", "invalid"]);
    const publish = drafts.publishGroup(caller, group.group_id, { drafts: seen(group) });
    await assert.rejects(
      publish,
      (error) =>
        error instanceof Refusal &&
        /two: The draft cannot run: its document has an error\. The first: [^:]+:8:5: [^:]+: say needs `who`[^:]+$/.test(
          error.message,
        ),
    );
    assert.equal(existsSync(join(catalog, "networks/one/1.1.0")), false);
    assert.equal((await drafts.list(caller)).length, 2);
    await drafts.discardGroup(caller, group.group_id);
    assert.deepEqual(await drafts.list(caller), []);
    await assert.rejects(drafts.upgrade(caller, { ...TO, networks: ["none"] }), Refusal);
  });

  it("may be many", async (t) => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const { engine, catalog } = await start(t, {
      "tools/say/1.0.0/say.cwl": OLD,
      "tools/say/2.0.0/say.cwl": OLD.replace("echo", "printf"),
      ...Object.fromEntries(names.map((name) => [`networks/${name}/1.0.0/${name}.cwl`, network(RUNS_OLD)])),
    });
    const drafts = draftsOf(engine);
    assert.equal((await drafts.outdated(caller, TO)).length, 12);
    const group = await drafts.upgrade(caller, { ...TO, networks: names });
    assert.ok(group.drafts.every(({ status }) => status === "valid"));
    const { published } = await drafts.publishGroup(caller, group.group_id, { drafts: seen(group) });
    assert.equal(published.length, 12);
    assert.equal((await readdir(join(catalog, "networks/n11"))).length, 2);
    assert.deepEqual(await drafts.outdated(caller, TO), []);
  });
});
