import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import type { Engine } from "../src/port/engine.ts";
import { caller } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { ask } from "../src/testing/ask-engine.ts";

const executor = new ScriptedExecutor({
  say({ args: [path = "", code], read, print }) {
    print(read(path));
    return Number(code);
  },
});

const root = temporaryFolder();

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

async function open(
  t: TestContext,
  tests: Readonly<Record<string, string>>,
): Promise<{ engine: Engine; folder: string }> {
  const place = await mkdtemp(join(root, "server-"));
  const folder = join(place, "catalog/tools/say/1.0.0");
  writeFiles(folder, { "say.cwl": TOOL, "tests/a.txt": "a\nb\n" });
  for (const [name, text] of Object.entries(tests)) await writeFile(join(folder, "tests", `${name}.yml`), text);
  const engine = await openTestEngine(place, { executor });
  t.after(() => engine.stop("cancel"));
  return { engine, folder };
}

const lastOf = async (engine: Engine) =>
  Object.fromEntries(
    (await ask(engine, "GET /api/tools/{id}/{version}/tests", { caller, params: SAY })).tests.map(({ name, last }) => [
      name,
      last,
    ]),
  );

/** Waits until a condition is true; checks now and after every event. */
async function untilEvent(engine: Engine, isSo: () => Promise<boolean>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => void isSo().then((is) => is && resolve(), reject);
  const stop = engine.events.subscribe(look);
  look();
  await promise;
  stop();
}

async function settled(engine: Engine): ReturnType<typeof lastOf> {
  await untilEvent(engine, async () =>
    Object.values(await lastOf(engine)).every((last) => last !== null && last.state !== "running"),
  );
  return lastOf(engine);
}

describe("tests on a server", () => {
  it("run as runs, and their results stay with the version", async (t) => {
    const { engine } = await open(t, {
      good: `${GIVEN}\noutputs: {said: {lines: 2}}\n`,
      bad: `${GIVEN}\noutputs:\n  said: {lines: 3}\n`,
      fails: `inputs: {text: {class: File, path: a.txt}, code: 3}\nfails: 3\n`,
      refused: "inputs: {code: 1}\nfails: true\nmessage: text\n",
    });
    assert.deepEqual(await lastOf(engine), { bad: null, fails: null, good: null, refused: null });
    const started = await ask(engine, "POST /api/tools/{id}/{version}/tests", { caller, params: SAY, body: {} });
    assert.equal(started.tests.length, 4);
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

  it("start only named tests, and refuse tests that cannot run", async (t) => {
    const { engine } = await open(t, { good: `${GIVEN}\noutputs: {said: {lines: 2}}\n`, broken: "output: 1\n" });
    const [broken] = (await ask(engine, "GET /api/tools/{id}/{version}/tests", { caller, params: SAY })).tests;
    assert.match(broken?.issues[0]?.message ?? "", /unknown field `output`/);
    assert.equal(broken?.issues[0]?.file, "tools/say/1.0.0/tests/broken.yml");
    await assert.rejects(
      ask(engine, "POST /api/tools/{id}/{version}/tests", { caller, params: SAY, body: { tests: ["broken"] } }),
      { code: "invalid-body" },
    );
    await assert.rejects(
      ask(engine, "POST /api/tools/{id}/{version}/tests", { caller, params: SAY, body: { tests: ["nope"] } }),
      { code: "invalid-body" },
    );
    await assert.rejects(
      ask(engine, "POST /api/tools/{id}/{version}/tests", { caller, params: { ...SAY, id: "sing" }, body: {} }),
      { code: "tool-not-found" },
    );
    const { tests } = await ask(engine, "POST /api/tools/{id}/{version}/tests", {
      caller,
      params: SAY,
      body: { tests: ["good", "good"] },
    });
    assert.deepEqual(
      tests.map(({ last }) => last?.state),
      [undefined, "running"],
    );
    assert.equal(engine.runs.list(caller, {}).runs.length, 1);
  });

  it("hide other users' runs if runs are private, but not results", async (t) => {
    const { engine } = await open(t, { good: `${GIVEN}\noutputs: {said: {lines: 2}}\n` });
    await ask(engine, "POST /api/tools/{id}/{version}/tests", { caller, params: SAY, body: {} });
    await settled(engine);
    const stranger = { ...caller, principal: "eve", othersRuns: "hidden" } as const;
    const [test] = (await ask(engine, "GET /api/tools/{id}/{version}/tests", { caller: stranger, params: SAY })).tests;
    assert.deepEqual([test?.last?.state, test?.last?.run], ["passed", null]);
  });

  it("are judged only once, even after a restart, and are outdated once they change", async (t) => {
    const { engine, folder } = await open(t, { good: `${GIVEN}\noutputs: {said: {lines: 2}}\n` });
    await ask(engine, "POST /api/tools/{id}/{version}/tests", { caller, params: SAY, body: {} });
    await settled(engine);
    await engine.stop("drain");
    const again = await openTestEngine(join(folder, "../../../.."), { executor });
    t.after(() => again.stop("cancel"));
    const { events } = again.events.page(caller, { pageSize: 10_000 });
    assert.equal(events.filter(({ type }) => type === "run.tested").length, 1);
    assert.equal((await lastOf(again))["good"]?.state, "passed");
    await writeFile(join(folder, "tests/good.yml"), `${GIVEN}\noutputs: {said: {lines: 3}}\n`);
    await untilEvent(again, async () => (await lastOf(again))["good"]?.is_current === false);
  });
});
