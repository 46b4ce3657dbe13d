import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { openTestEngine } from "../../src/testing/open-test-engine.ts";
import { caller, CrateRuns, nested } from "./crate-runs.ts";

const [there, here] = [await CrateRuns.open(), await CrateRuns.open()];
/** A crate that no test imports as it is. */
const { folder: crate } = await there.crateOf(await there.run(nested));
const bob = { ...caller, principal: "bob" };

const importFolder = (path: string) => here.importFolder(path, bob);

describe("an import", () => {
  const changed = async () => {
    const copy = await mkdtemp(join(there.root, "changed-"));
    await cp(crate, copy, { recursive: true });
    return copy;
  };
  const left = () => readdir(join(here.root, "state/imports"));
  const count = () => here.engine.runs.list(caller, {}).total;

  it("is refused a second time, and on its own server, without leaving anything", async () => {
    const run = await there.run(nested);
    const { folder } = await there.crateOf(run);
    await importFolder(folder);
    const message = /has already been imported; here it is \S+/;
    await assert.rejects(importFolder(folder), { code: "conflict", message });
    await assert.rejects(there.importFolder(folder), { code: "conflict", message: /made the run/ });
    assert.deepEqual(await left(), []);
  });

  const changes: Readonly<Record<string, readonly [(folder: string) => Promise<unknown>, RegExp]>> = {
    "an output was changed": [
      (at) => appendFile(join(at, "outputs/joined.bam"), "!"),
      /file outputs\/joined\.bam: its content/,
    ],
    "a file is missing": [(at) => rm(join(at, "outputs/joined.bam")), /file outputs\/joined\.bam: is missing/],
    "a file was added": [(at) => writeFile(join(at, "more.txt"), ""), /more\.txt: is not listed/],
    "an event was changed": [
      (at) => replaceIn(join(at, "weft/events.jsonl"), '"exit_code":0', '"exit_code":1'),
      /file weft\/events\.jsonl: its content/,
    ],
    "a link leads out of it": [(at) => symlink("/etc/passwd", join(at, "outputs/link")), /is a link or a device/],
    "it has no metadata": [(at) => rm(join(at, "ro-crate-metadata.json")), /This is not a crate/],
  };
  for (const [what, [change, expected]] of Object.entries(changes))
    it(`is refused with the problem if ${what}`, async () => {
      const copy = await changed();
      await change(copy);
      const before = count();
      await assert.rejects(importFolder(copy), { code: "invalid-crate", message: expected });
      assert.deepEqual([await left(), count()], [[], before]);
    });

  const hostile: [string, string, (line: Record<string, unknown>) => unknown][] = [
    ["an event without data", "events", ({ data: _data, ...rest }) => rest],
    ["an event whose data are null", "events", (line) => ({ ...line, data: null })],
    ["an event whose data are a list", "events", (line) => ({ ...line, data: [] })],
    ["an event that is a number", "events", () => 5],
    ["an event that is null", "events", () => null],
    [
      "an event whose files are null",
      "events",
      (line) => ({ ...line, data: { ...(line["data"] as object), files: [null] } }),
    ],
    ["an event at no time", "events", (line) => ({ ...line, time: 7 })],
    ["a document without text", "documents", ({ digest }) => ({ digest })],
    ["a document that is null", "documents", () => null],
    ["a document with numbers", "documents", () => ({ digest: 1, text: 2 })],
    ["an address without a name", "files", () => ({ uri: 5 })],
  ];
  for (const [what, file, change] of hostile)
    it(`is refused, or imported without the forged part, if it was forged with ${what}`, async () => {
      const copy = await changed();
      await rewriteLines(copy, `weft/${file}.jsonl`, change);
      const outcome = await importFolder(copy).catch((error: unknown) => error);
      const isRefused = outcome instanceof Refusal && outcome.code === "invalid-crate";
      assert.ok(isRefused || (file === "files" && !(outcome instanceof Error)), String(outcome));
    });

  for (const entity of [null, 5, [], { "@type": "File", "@id": 5 }, { "@type": 5, "@id": "x" }])
    it(`is refused if its metadata contain ${JSON.stringify(entity)}`, async () => {
      const copy = await changed();
      const path = join(copy, "ro-crate-metadata.json");
      const metadata = JSON.parse(await readFile(path, "utf8"));
      // Replaces the first file, whose entries are no longer listed.
      const index = metadata["@graph"].findIndex((each: { sha256?: string }) => each.sha256 !== undefined);
      metadata["@graph"][index] = entity;
      await writeFile(path, JSON.stringify(metadata));
      await assert.rejects(importFolder(copy), { code: "invalid-crate" });
    });

  it("is refused if it is larger than uploads can be", async () => {
    const copy = await changed();
    await writeFile(join(copy, "large"), Buffer.alloc(CrateRuns.maxBytes));
    await assert.rejects(importFolder(copy), { code: "body-too-large" });
    const zip = createReadStream(join(copy, "large"));
    const asZip = here.engine.provenance.importCrate(bob, { kind: "zip", content: zip });
    await assert.rejects(asZip, { code: "invalid-crate", message: /not a zip file/ });
  });

  it("leaves nothing at the next start after an interruption, and touches no recorded run", async (t) => {
    const options = { ...here.options, stateFolder: join(here.root, "broken-off") };
    const engine = await openTestEngine(here.root, options);
    // A failure on the way must not leave an engine that keeps the tests from ending.
    t.after(() => engine.stop("cancel"));
    const kept = await engine.provenance.importCrate(caller, { kind: "folder", path: crate });
    await engine.stop("cancel");
    const state = options.stateFolder;
    const orphan = "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f";
    for (const runId of [orphan, kept.run_id])
      writeFiles(state, { [`imports/of-${runId}/run-id`]: runId, [`imports/of-${runId}/crate/`]: "" });
    await mkdir(join(state, "runs", orphan, "outputs"), { recursive: true });
    const again = await openTestEngine(here.root, options);
    t.after(() => again.stop("cancel"));
    assert.deepEqual(await readdir(join(state, "imports")), []);
    assert.deepEqual(await readdir(join(state, "runs")), [kept.run_id]);
  });
});

/** Changes every line of a file of a crate, and the checksums that vouch for it, as a forger would. */
async function rewriteLines(
  crate: string,
  name: string,
  change: (line: Record<string, unknown>) => unknown,
): Promise<void> {
  const path = join(crate, name);
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const changed = lines.map((line) => `${JSON.stringify(change(JSON.parse(line)))}\n`).join("");
  await writeFile(path, changed);
  const metadataPath = join(crate, "ro-crate-metadata.json");
  const metadata = JSON.parse(await readFile(metadataPath, "utf8"));
  for (const entity of metadata["@graph"]) if (entity["@id"] === name) entity.sha256 = hash("sha256", changed);
  await writeFile(metadataPath, JSON.stringify(metadata));
}

async function replaceIn(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(path, "utf8");
  assert.ok(text.includes(from));
  await writeFile(path, text.replace(from, to));
}
