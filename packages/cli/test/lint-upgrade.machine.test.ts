import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { expectSuccess, weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const NAP = `cwlVersion: v1.2
class: CommandLineTool
doc: Sleeps.
requirements: { ResourceRequirement: { ramMin: 512 } }
hints: { SoftwareRequirement: { packages: [{ package: coreutils }] } }
baseCommand: [sleep, "0.3"]
inputs: {}
outputs: {}
`;
const MAIN = `cwlVersion: draft-3
class: Workflow
requirements:
  - class: ScatterFeatureRequirement
inputs:
  - {id: "#words", type: {type: array, items: string}}
outputs:
  - id: "#files"
    type: {type: array, items: File}
    source: "#write.file"
steps:
  - id: "#write"
    run: {import: write.cwl}
    scatter: "#write.word"
    inputs:
      - {id: "#write.word", source: "#words"}
    outputs:
      - {id: "#write.file"}
`;
const WRITE = `cwlVersion: draft-3
class: CommandLineTool
description: Writes a word.
requirements:
  - class: CreateFileRequirement
    fileDef:
      - filename: word.txt
        fileContent: "the word $(inputs.word)" # no line end
inputs:
  - {id: "#word", type: string}
outputs:
  - id: "#file"
    type: File
    outputBinding: {glob: copy.txt}
baseCommand: [cp, word.txt, copy.txt]
`;

it("weft lint compares requested resources with recorded jobs", async () => {
  const root = temporaryFolder({ "catalog/tools/nap/1.0.0/nap.cwl": NAP });
  const state = join(root, "state");
  const server = await serve(["--catalog", join(root, "catalog"), "--state", state]);
  const client = createClient(server.address);
  for (let n = 0; n < 5; n++)
    await untilRun(client, await startRun(client, { tool: "nap", inputs: {}, options: { cache: "off" } }));
  await server.stop("SIGTERM");
  const { code, stdout } = await weft(["lint", "--state", state, join(root, "catalog/tools/nap/1.0.0/nap.cwl")]);
  assert.equal(code, 1, stdout);
  assert.match(stdout, /`ramMin: 512` was never needed: 5 jobs used at most \d+ MiB/);
});

it("weft upgrade rewrites a workflow and a tool of draft-3 so that they run", async () => {
  const cwd = temporaryFolder({ "main.cwl": MAIN, "write.cwl": WRITE, "in.yml": "words: [one, two]\n" });
  const alone = await expectSuccess(["upgrade", "main.cwl"], { cwd });
  assert.match(alone.stderr, /^main\.cwl: needs write\.cwl, which is draft-3, too$/m);
  const both = await expectSuccess(["upgrade", "--write", "main.cwl", "write.cwl"], { cwd });
  assert.match(both.stderr, /^write\.cwl: line 3: `description` is now `doc`$/m);
  const run = await expectSuccess(["run", "--outdir", "out", "main.cwl", "in.yml"], { cwd });
  const { files } = JSON.parse(run.stdout) as { files: readonly { path: string }[] };
  const texts = files.map((file) => readFileSync(file.path, "utf8"));
  assert.deepEqual(texts, ["the word one", "the word two"]);
});
