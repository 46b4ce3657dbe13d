import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Engine } from "../src/port/engine.ts";
import { caller, untilEvent } from "../src/testing/drive-runs.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const say: Program = ({ args: [path = "", code], read, print }) => {
  print(read(path));
  return Number(code);
};

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: say
arguments: [$(inputs.text), $(inputs.code)]
inputs: {text: File, code: {type: int, default: 0}}
stdout: said.txt
outputs: {said: stdout}
`;
const GIVEN = "inputs: {text: {class: File, path: a.txt}}";
const SAY = { kind: "tool", id: "say", version: "1.0.0" } as const;
const GOOD = `${GIVEN}\noutputs: {said: {lines: 2}}\n`;
const FOLDER = "catalog/tools/say/1.0.0";

function open(tests: Readonly<Record<string, string>>) {
  const files = Object.entries(tests).map(([name, text]) => [`${FOLDER}/tests/${name}.yml`, text]);
  const tool = { [`${FOLDER}/say.cwl`]: TOOL, [`${FOLDER}/tests/a.txt`]: "a\nb\n" };
  return serveFiles({ ...tool, ...Object.fromEntries(files) }, { programs: { say } });
}

const testsOf = async (engine: Engine, by = caller) =>
  (await ask(engine, "GET /api/tools/{id}/{version}/tests", { caller: by, params: SAY })).tests;
const startTests = (engine: Engine, body: { readonly tests?: string[] } = {}, params = SAY) =>
  ask(engine, "POST /api/tools/{id}/{version}/tests", { caller, params, body });
const lastOf = async (engine: Engine) =>
  Object.fromEntries((await testsOf(engine)).map(({ name, last }) => [name, last]));

async function settled(engine: Engine): ReturnType<typeof lastOf> {
  await untilEvent(engine, async () =>
    Object.values(await lastOf(engine)).every((last) => last !== null && last.state !== "running"),
  );
  return lastOf(engine);
}

describe("tests on a server", () => {
  it("run as runs, and their results stay with the version", async () => {
    const { engine } = await open({
      good: GOOD,
      bad: `${GIVEN}\noutputs:\n  said: {lines: 3}\n`,
      fails: `inputs: {text: {class: File, path: a.txt}, code: 3}\nfails: 3\n`,
      refused: "inputs: {code: 1}\nfails: true\nmessage: text\n",
    });
    assert.deepEqual(await lastOf(engine), { bad: null, fails: null, good: null, refused: null });
    assert.equal((await startTests(engine)).tests.length, 4);
    const { good, bad, fails, refused } = await settled(engine);
    assert.deepEqual([good?.state, bad?.state, fails?.state, refused?.state], ["passed", "failed", "passed", "passed"]);
    assert.deepEqual(bad?.unmet, [
      { part: "outputs.said.lines", message: "has 2 lines, expected 3", line: 3, column: 17 },
    ]);
    assert.deepEqual([refused?.run, good?.is_current], [null, true]);
    assert.equal(engine.runs.get(caller, good?.run?.run_id ?? "").name, "Test good of say");
    const listed = (archived: "no" | "only") => engine.runs.list(caller, { archived }).runs.length;
    assert.deepEqual([listed("no"), listed("only")], [0, 3], "tests lead to their runs; lists of users' runs do not");
  });

  it("start only named tests, and refuse tests that cannot run", async () => {
    const { engine } = await open({ good: GOOD, broken: "output: 1\n" });
    const [broken] = await testsOf(engine);
    assert.match(broken?.issues[0]?.message ?? "", /unknown field `output`/);
    assert.equal(broken?.issues[0]?.file, "tools/say/1.0.0/tests/broken.yml");
    for (const name of ["broken", "nope"])
      await assert.rejects(startTests(engine, { tests: [name] }), { code: "invalid-body" });
    const unknown = ask(engine, "POST /api/tools/{id}/{version}/tests", {
      ...{ caller, params: { ...SAY, id: "sing" }, body: {} },
    });
    await assert.rejects(unknown, { code: "tool-not-found" });
    const { tests } = await startTests(engine, { tests: ["good", "good"] });
    assert.deepEqual(
      tests.map(({ last }) => last?.state),
      [undefined, "running"],
    );
    assert.equal(engine.runs.list(caller, {}).runs.length, 1);
  });

  it("hide other users' runs if runs are private, but not results", async () => {
    const { engine } = await open({ good: GOOD });
    await startTests(engine);
    await settled(engine);
    const [test] = await testsOf(engine, { ...caller, principal: "eve", othersRuns: "hidden" });
    assert.deepEqual([test?.last?.state, test?.last?.run], ["passed", null]);
  });

  it("are judged only once, even after a restart, and are outdated once they change", async () => {
    const { engine, root, restart } = await open({ good: GOOD });
    await startTests(engine);
    await settled(engine);
    const again = await restart("drain");
    const { events } = again.events.page(caller, { pageSize: 10_000 });
    assert.equal(events.filter(({ type }) => type === "run.tested").length, 1);
    assert.equal((await lastOf(again))["good"]?.state, "passed");
    await writeFile(join(root, FOLDER, "tests/good.yml"), GOOD.replace("2", "3"));
    await untilEvent(again, async () => (await lastOf(again))["good"]?.is_current === false);
  });
});
