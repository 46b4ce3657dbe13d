import assert from "node:assert/strict";
import { lstat, readdir, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { runToEnd } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, 'wc -c < "$0"; wc -c < "$1"']
requirements:
  InitialWorkDirRequirement: { listing: [{ entry: $(inputs.large), entryname: again.bin }] }
inputs:
  large: { type: File, inputBinding: { position: 1 } }
arguments: [{ valueFrom: again.bin, position: 2 }]
outputs: { sizes: stdout }
stdout: sizes.txt
`;
const root = temporaryFolder({ "catalog/tools/size/1.0.0/size.cwl": TOOL, "data/large.bin": "" });
await truncate(join(root, "data/large.bin"), GIB);

const engine = await openTestEngine(root, { dataFolders: { data: join(root, "data") } });
after(() => engine.stop("cancel"));

/** Disk space of a folder; blocks are of 512 bytes, links are not followed. */
async function allocated(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await readdir(folder, { recursive: true })) sum += (await lstat(join(folder, name))).blocks * 512;
  return sum;
}

test("an input of a gibibyte is neither copied nor read into memory", async () => {
  const inputs = { large: { class: "File", location: "weft-data://data/large.bin" } };
  const before = process.memoryUsage.rss();
  const run = await runToEnd(engine, { tool: "size", inputs });
  assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
  assert.equal(await readFile(join(root, "state/runs", run.run_id, "outputs/sizes.txt"), "utf8"), `${GIB}\n${GIB}\n`);
  assert.ok((await allocated(join(root, "state"))) < 10 * MIB);
  assert.ok(process.memoryUsage.rss() - before < 300 * MIB);
});
