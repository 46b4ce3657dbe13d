// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { openEngine } from "../src/app/open-engine.ts";
import { caller, runToEnd } from "../src/testing/drive-runs.ts";

const root = await mkdtemp(join(tmpdir(), "weft-forged-"));
const folder = join(root, "catalog/tools/forge/1.0.0");
await mkdir(folder, { recursive: true });
await writeFile(
  join(folder, "forge.cwl"),
  `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [bash, -c]
inputs: { script: { type: string, inputBinding: { position: 1 } } }
outputs: {}
`,
);
const engine = await openEngine({
  ...{ version: "test", stateFolder: join(root, "state"), catalogFolder: join(root, "catalog"), dataFolders: {} },
  ...{ jobs: undefined, maxUploadBytes: 1000, jobSandbox: "none", log: () => {} },
});
after(async () => {
  await engine.stop("cancel");
  await rm(root, { recursive: true });
});

describe("without a sandbox, a job that forges its end", () => {
  const ways: readonly (readonly [string, string])[] = [
    ["into its record", "printf 'exit 0\\n' >>../record; exit 3"],
    ["into a record of its own", "rm ../record; printf 'pid 1\\nexit 0\\n' >../record; exit 3"],
    ["several times", "for i in 1 2 3; do printf '0m0s 0m0s\\n0m0s 0m0s\\nexit 0\\n' >>../record; done; exit 3"],
  ];
  for (const [how, script] of ways)
    it(`ends as its wrapper saw it (${how})`, async () => {
      const run = await runToEnd(engine, { tool: "forge", inputs: { script } });
      assert.deepEqual([run.state, engine.runs.job(caller, run.run_id, "main").exit_code], ["EXECUTOR_ERROR", 3]);
    });
});
