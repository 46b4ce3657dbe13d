import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { caller, runToEnd } from "../testing/drive-runs.ts";
import { openTestEngine } from "../testing/open-test-engine.ts";
import { readZip, unpackZip } from "../archive/testing/unpack-zip.ts";
import { askArchive } from "../testing/ask-engine.ts";
import { column } from "../testing/columns.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c]
arguments:
  - |
    test "$1" = ok || exit 1
    mkdir a b && echo one > a/same.txt && echo two > b/same.txt
    mkdir -p "tree/of it/empty" && echo deep > "tree/of it/x.txt" && echo index > a/same.txt.idx
  - x
  - $(inputs.how)
inputs: { how: string }
outputs:
  one: { type: File, secondaryFiles: [.idx], outputBinding: { glob: a/same.txt } }
  list: { type: "File[]", outputBinding: { glob: [a/same.txt, b/same.txt] } }
  tree: { type: Directory, outputBinding: { glob: tree } }
  text: { type: string, outputBinding: { outputEval: said } }
`;

const root = temporaryFolder({ "catalog/tools/make/1.0.0/make.cwl": TOOL });
const engine = await openTestEngine(root, { jobs: 1 });
after(() => engine.stop("cancel"));
const make = (how: string) => runToEnd(engine, { tool: "make", inputs: { how } });
const archiveOf = (runId: string) =>
  askArchive(engine, "GET /api/runs/{run_id}/outputs.zip", { caller, params: { run_id: runId } });

test("the archive contains every output once, under its name, with correct checksums and an object that refers to its files", async () => {
  const { run_id: runId } = await make("ok");
  const { name, open } = await archiveOf(runId);
  assert.equal(name, `outputs-${runId}.zip`);
  const zip = await buffer(open());
  assert.deepEqual(column(readZip(zip), "name"), [
    "outputs.json",
    "SHA1SUMS",
    "outputs/same.txt",
    "outputs/same.txt.idx",
    "outputs/same_2.txt",
    "outputs/tree/",
    "outputs/tree/of it/",
    "outputs/tree/of it/empty/",
    "outputs/tree/of it/x.txt",
  ]);
  const folder = join(root, "unpacked");
  await unpackZip(zip, folder);
  execFileSync("sha1sum", ["--check", "--quiet", "--strict", "SHA1SUMS"], { cwd: folder });
  const object = JSON.parse(await readFile(join(folder, "outputs.json"), "utf8")) as { list: { location: string }[] };
  assert.deepEqual(column(object.list, "location"), ["outputs/same.txt", "outputs/same_2.txt"]);
  assert.equal(await readFile(join(folder, "outputs/same_2.txt"), "utf8"), "two\n");
});

test("a run without outputs, or with a missing one, is refused before the archive is sent", async () => {
  const failed = await make("not");
  await assert.rejects(archiveOf(failed.run_id), { code: "file-not-found" });
  const run = await make("ok");
  await unlink(join(root, "state/runs", run.run_id, "outputs/same_2.txt"));
  await assert.rejects(archiveOf(run.run_id), { code: "file-not-found", message: /same_2\.txt/ });
  await assert.rejects(archiveOf("none"), { code: "run-not-found" });
});
