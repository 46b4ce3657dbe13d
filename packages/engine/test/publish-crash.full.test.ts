import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { readPin } from "../src/catalog/read-pin.ts";
import { finishPublishing, publishVersions } from "../src/drafts/publish-version.ts";

const KILLS = 12;
const HELPERS = 30;

/** Publishes version after version until it is killed. */
const PUBLISHER = `
import { publishVersions } from ${JSON.stringify(new URL("../src/drafts/publish-version.ts", import.meta.url).href)};
const [root, round] = process.argv.slice(2);
const base = { folder: root + "/tools/act/0.0.0", version: "0.0.0" };
const what = { kind: "tool", id: "act", text: "class: CommandLineTool", base, by: "ann", at: "2026-01-01T00:00:00.000Z" };
for (let n = 0; ; n++) {
  await publishVersions(root, [{ ...what, version: round + "." + n + ".0" }]);
  if (n === 0) process.stdout.write("begun");
}
`;

/** Starts the program, and kills it some time after it has begun: later in each round, so that every part is hit. */
async function killed(script: string, root: string, { round, afterMs }: { round: number; afterMs: number }) {
  const child = spawn(process.execPath, [script, root, String(round)], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("a crash while publishing leaves only complete versions", async () => {
  const helpers = Array.from({ length: HELPERS }, (_, n) => [
    `tools/act/0.0.0/helper-${n}.txt`,
    String(n).repeat(1000),
  ]);
  const base = { "tools/act/0.0.0/act.cwl": "class: CommandLineTool", ...Object.fromEntries(helpers) };
  const root = temporaryFolder(base);
  const script = join(root, "publisher.mjs");
  await writeFile(script, PUBLISHER);
  for (let round = 1; round <= KILLS; round++) {
    await killed(script, root, { round, afterMs: round * 3 });
  }
  const versions = (await readdir(join(root, "tools/act"))).filter((name) => name !== "0.0.0");
  assert.ok(versions.length >= KILLS, versions.join(" "));
  for (const version of versions) {
    const folder = join(root, "tools/act", version);
    assert.deepEqual((await readPin(folder)).changed, [], version);
    assert.equal((await readdir(folder)).length, HELPERS + 2, version);
  }
  // A later server removes the files that a killed one left, but not those that another server may be writing.
  const left = (await readdir(root)).filter((name) => name.startsWith(".publish-"));
  const [old, ...young] = left;
  if (old !== undefined) await utimes(join(root, old), 0, 0);
  const at = "2026-01-01T00:00:00.000Z";
  await publishVersions(root, [{ kind: "tool", id: "act", version: "99.0.0", text: "x", by: "ann", at }]);
  assert.deepEqual((await readdir(root)).filter((name) => name.startsWith(".publish-")).toSorted(), young.toSorted());
});

const TOGETHER = 20;

/** Publishes many versions together until it is killed. */
const GROUP_PUBLISHER = `
import { publishVersions } from ${JSON.stringify(new URL("../src/drafts/publish-version.ts", import.meta.url).href)};
const [root, round] = process.argv.slice(2);
const what = { kind: "tool", text: "class: CommandLineTool", by: "ann", at: "2026-01-01T00:00:00.000Z" };
process.stdout.write("begun");
for (let n = 0; ; n++)
  await publishVersions(root, Array.from({ length: ${TOGETHER} }, (_, tool) => ({ ...what, id: "act" + tool, version: round + "." + n + ".0" })));
`;

test("a crash while publishing several versions leaves all of them or none", async () => {
  const root = temporaryFolder();
  const script = join(root, "publisher.mjs");
  await writeFile(script, GROUP_PUBLISHER);
  for (let round = 1; round <= KILLS; round++) {
    await killed(script, root, { round, afterMs: 20 + round * 7 });
    await finishPublishing(root);
    const tools = (await readdir(join(root, "tools")).catch((): string[] => [])).toSorted();
    const versions = await Promise.all(tools.map(async (name) => (await readdir(join(root, "tools", name))).sort()));
    for (const found of versions) assert.deepEqual(found, versions[0]);
    assert.ok(tools.length === 0 || tools.length === TOGETHER, tools.join(" "));
  }
  // A plan that was not written as a whole means nothing, and is removed with other old remains.
  assert.deepEqual(
    (await readdir(root)).filter((name) => /^\.publish-plan-.*\.json$/.test(name)),
    [],
  );
});
