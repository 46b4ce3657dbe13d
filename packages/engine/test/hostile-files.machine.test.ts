import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { runToEnd } from "../src/testing/drive-runs.ts";
import { openTestEngine, toolFiles } from "../src/testing/open-test-engine.ts";

const RUNS_SCRIPT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c]
inputs: { script: { type: string, inputBinding: {} } }
outputs:
  out: { type: Any?, outputBinding: { glob: made } }
`;

const COUNTS_LISTED = `cwlVersion: v1.2
class: CommandLineTool
requirements: { InlineJavascriptRequirement: {} }
baseCommand: "true"
inputs: { directory: { type: Directory, loadListing: deep_listing } }
outputs:
  count: { type: int, outputBinding: { outputEval: '$(JSON.stringify(inputs.directory.listing).split("class").length - 1)' } }
`;

const LOADS_CONTENTS = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: "true"
inputs: { texts: { type: "File[]", loadContents: true } }
outputs: {}
`;

const root = temporaryFolder({
  ...toolFiles({ "runs-script": RUNS_SCRIPT, "counts-listed": COUNTS_LISTED, "loads-contents": LOADS_CONTENTS }),
  ...{ "state/tokens/ann.json": '{"token":"hidden"}', "data/": "" },
});
const engine = await openTestEngine(root, { jobs: 2, dataFolders: { data: join(root, "data") } });
after(() => engine.stop("cancel"));

describe("an output that a job leaves behind", () => {
  const run = (script: string) => runToEnd(engine, { tool: "runs-script", inputs: { script } });

  it("is not read through a link that leaves the output directory", async () => {
    const secret = join(root, "state", "tokens", "ann.json");
    for (const script of [`ln -s ${secret} cwl.output.json`, `ln -s ${secret} a; ln -s a cwl.output.json`]) {
      const { state, state_reason: reason } = await run(script);
      assert.equal(state, "EXECUTOR_ERROR");
      assert.match(reason?.message ?? "", /` is a link (?:that leads out of the output folder|to)/);
      assert.doesNotMatch(JSON.stringify(reason), /hidden/);
    }
  });

  for (const [what, script, message] of [
    ["a huge output object", "truncate -s 150M cwl.output.json", /output-object-bytes/],
    [
      "a deep output object",
      `awk 'BEGIN { printf "{\\"out\\":"; for (i = 0; i < 5000; i++) printf "["; for (i = 0; i < 5000; i++) printf "]"; print "}" }' > cwl.output.json`,
      /value-depth/,
    ],
    ["deep folders", "mkdir -p made/$(printf 's/%.0s' $(seq 800))", /value-depth/],
  ] as const)
    it(`fails the job with a limit: ${what}`, async () => {
      const { state, state_reason: reason } = await run(script);
      assert.deepEqual([state, reason?.code], ["EXECUTOR_ERROR", "LIMIT_EXCEEDED"]);
      assert.match(reason?.message ?? "", message);
    });
});

it("lists directories that link to each other once each", async () => {
  const names = [..."12345678"];
  for (const from of names) {
    await mkdir(join(root, "data", from));
    for (const to of names) await symlink(join("..", to), join(root, "data", from, `to-${to}`));
  }
  const inputs = { directory: { class: "Directory", location: "weft-data://data" } };
  const { outputs } = await runToEnd(engine, { tool: "counts-listed", inputs, options: { cache: "off" } });
  assert.deepEqual(outputs, { count: 8 + 8 * 8 });
});

it("refuses a request that loads one file a thousand times", async () => {
  await writeFile(join(root, "data", "largest"), "x".repeat(64 * 1024));
  const texts = Array.from({ length: 1030 }, () => ({ class: "File", location: "weft-data://data/largest" }));
  await assert.rejects(runToEnd(engine, { tool: "loads-contents", inputs: { texts } }), (error) => {
    assert(error instanceof Refusal);
    assert.equal(error.code, "invalid-inputs");
    assert.deepEqual(
      error.errors.map(({ pointer, code }) => [pointer, code]),
      [1024, 1025, 1026, 1027, 1028, 1029].map((index) => [`/inputs/texts/${index}`, "limit-exceeded"]),
    );
    assert.match(error.errors[0]?.detail ?? "", /exceeds the limit of 67,108,864 \(loaded-content-bytes\)/);
    return true;
  });
});
