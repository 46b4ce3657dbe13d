// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { caller, startRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { file, folder, openReachEngine, TOKEN } from "./reach-engine.ts";
import { ask } from "../src/testing/ask-engine.ts";

const { at, refusalOf, root, start, textOf } = await openReachEngine();

describe("a location that is refused", () => {
  const state = `file://${at("state")}`;
  const token = file(`${state}/access-token`);
  const scan = file("weft-data://data/scan.nii");
  const asks: Readonly<Record<string, readonly [string, object]>> = {
    "the contents of a file of the server": ["read", { file: token }],
    "the same for Any": ["any", { it: token }],
    "the same in a list": ["any", { it: [{ deep: token }] }],
    "a secondary file of the server": ["any", { it: { ...scan, secondaryFiles: [token] } }],
    "contents that a message would quote": ["quote", { file: token, it: scan }],
    "a secondary file that is found next to it": ["beside", { it: scan }],
    "the file behind a link in a data folder": ["read", { file: file("weft-data://data/link.txt") }],
    "a member of a listing": ["any", { it: { class: "Directory", basename: "d", listing: [token] } }],
    "a folder of the system": ["list", { tree: folder("file:///usr") }],
    "the state folder": ["list", { tree: folder(state) }],
    "the folder of all runs": ["list", { tree: folder("weft-data://runs/") }],
  };
  for (const [what, [name, inputs]] of Object.entries(asks))
    it(`is not opened: ${what}`, async () => {
      const refusal = await refusalOf(name, inputs);
      assert.match(refusal, /file-not-allowed|missing-file|is a link to/);
      assert.ok(!refusal.includes(TOKEN), refusal);
    });

  it("is refused if a data folder contains the whole state folder", async (t) => {
    const folders = { dataFolders: { all: root }, catalogFolder: at("catalog") };
    const wide = await openTestEngine(at("wide"), { ...folders, jobs: 1, container: "none" });
    t.after(() => wide.stop("cancel"));
    await writeFile(at("wide/state/access-token"), TOKEN);
    for (const body of [
      ...["", "wide", "wide/state"].map((path) => ({
        tool: "list",
        inputs: { tree: folder(`weft-data://all/${path}`) },
      })),
      { tool: "read", inputs: { file: file("weft-data://all/wide/state/access-token") } },
      { tool: "read", inputs: { file: file("weft-data://all/wide/state/weft.db") } },
    ])
      await assert.rejects(startRun(wide, body), { code: "invalid-inputs" });
    const { entries } = await ask(wide, "GET /api/files", { caller, query: { location: "weft-data://all/wide/" } });
    assert.deepEqual(entries, []);
    await assert.rejects(ask(wide, "GET /api/files", { caller, query: { location: "weft-data://all/wide/state/" } }), {
      code: "file-not-found",
    });
  });
});

describe("a link within an input folder", () => {
  const HOSTILE: Readonly<Record<string, string>> = {
    "to a file of the server": at("state/access-token"),
    "to a folder outside": at("outside"),
    "relative, out of the data folder": "../../outside/secret.txt",
    "by way of /proc": `/proc/self/root${at("outside/secret.txt")}`,
  };
  for (const [what, target] of Object.entries(HOSTILE))
    for (const depth of ["", "deep/er/"])
      it(`is refused by name ${what}${depth === "" ? "" : ", far down"}`, async () => {
        const tree = await mkdtemp(at("data/hostile-"));
        await cp(at("data/tree"), tree, { recursive: true });
        await mkdir(join(tree, depth), { recursive: true });
        await symlink(
          target.startsWith("..") ? `${"../".repeat(depth.split("/").length - 1)}${target}` : target,
          join(tree, depth, "evil"),
        );
        const location = `weft-data://data/${tree.slice(at("data/").length)}`;
        for (const name of ["list", "copy"]) {
          const refusal = await refusalOf(name, { tree: folder(location) });
          assert.match(refusal, /evil` is a link to/, name);
          assert.ok(!refusal.includes(TOKEN));
        }
      });

  it("works within the data folders, as git-annex requires", async () => {
    const listed = await start("list", { tree: folder("weft-data://data/safe") });
    assert.equal(listed.state, "COMPLETE", JSON.stringify(listed.state_reason));
    assert.match(await textOf(listed.run_id, "outputs/listing.json"), /"basename":"linked".*"size":7/s);
    const copied = await start("copy", { tree: folder("weft-data://data/safe") });
    assert.equal(copied.state, "COMPLETE", JSON.stringify(copied.state_reason));
    assert.equal(await textOf(copied.run_id, "outputs/out/linked"), "annexed");
    assert.equal(await textOf(copied.run_id, "outputs/out/annexed/up"), "scan");
  });

  it("keeps staged text out of its target folder", async () => {
    await refusalOf("into", { tree: folder("weft-data://data/tree"), name: "tree/plain.txt" });
    await refusalOf("into", { tree: folder("weft-data://data/tree"), name: "tree/new.txt" });
    assert.equal(await readFile(at("data/tree/plain.txt"), "utf8"), "plain");
    assert.deepEqual(await readdir(at("data/tree")), ["plain.txt"]);
  });
});
