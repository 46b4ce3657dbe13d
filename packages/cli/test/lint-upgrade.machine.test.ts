import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createClient } from "@weft/shared/routes/client.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = mkdtempSync(join(tmpdir(), "weft-lint-"));
after(() => rmSync(root, { recursive: true }));
const folder = join(root, "catalog/tools/nap/1.0.0");
mkdirSync(folder, { recursive: true });
const path = join(folder, "nap.cwl");
writeFileSync(
  path,
  `cwlVersion: v1.2
class: CommandLineTool
doc: Sleeps.
requirements: { ResourceRequirement: { ramMin: 512 } }
hints: { SoftwareRequirement: { packages: [{ package: coreutils }] } }
baseCommand: [sleep, "0.3"]
inputs: {}
outputs: {}
`,
);

describe("weft lint", () => {
  it("compares requested resources with recorded jobs", async () => {
    const state = join(root, "state");
    const server = await serve(["--catalog", join(root, "catalog"), "--state", state]);
    const client = createClient(server.address);
    for (let n = 0; n < 5; n++)
      await untilRun(client, await startRun(client, { tool: "nap", inputs: {}, options: { cache: "off" } }));
    await server.stop("SIGTERM");
    const { code, stdout } = await weft(["lint", "--state", state, path]);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /`ramMin: 512` was never needed: 5 jobs used at most \d+ MiB/);
  });
});

describe("weft upgrade", () => {
  it("rewrites a workflow and a tool of draft-3 so that they run", async () => {
    const draft = join(root, "draft-3");
    mkdirSync(draft);
    writeFileSync(
      join(draft, "main.cwl"),
      `cwlVersion: draft-3
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
`,
    );
    writeFileSync(
      join(draft, "write.cwl"),
      `cwlVersion: draft-3
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
`,
    );
    const alone = await weft(["upgrade", "main.cwl"], { cwd: draft });
    assert.equal(alone.code, 0, alone.stderr);
    assert.match(alone.stderr, /^main\.cwl: needs write\.cwl, which is draft-3, too$/m);
    const both = await weft(["upgrade", "--write", "main.cwl", "write.cwl"], { cwd: draft });
    assert.equal(both.code, 0, both.stderr);
    assert.match(both.stderr, /^write\.cwl: line 3: `description` is now `doc`$/m);
    writeFileSync(join(draft, "in.yml"), "words: [one, two]\n");
    const run = await weft(["run", "--outdir", "out", "main.cwl", "in.yml"], { cwd: draft });
    assert.equal(run.code, 0, run.stderr);
    const { files } = JSON.parse(run.stdout) as { files: readonly { path: string }[] };
    const texts = files.map((file) => readFileSync(file.path, "utf8"));
    assert.deepEqual(texts, ["the word one", "the word two"]);
  });
});
