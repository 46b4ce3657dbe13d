import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@weft/shared/routes/client.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { startServer, weft } from "./serving.ts";

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
  it("exits with 1 and names the place of what is unwise", async () => {
    writeFileSync(
      join(root, "t.cwl"),
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: ls\ninputs: {}\noutputs: {}\n",
    );
    const { code, stdout } = await weft(["lint", "t.cwl"], { cwd: root });
    assert.equal(code, 1);
    assert.match(stdout, /^t\.cwl:1:1: warning: the process has no `doc`\n[^]*t\.cwl: 2 found\n$/);
    assert.deepEqual((await weft(["lint", path])).stdout, `${path}: nothing to improve\n`);
  });

  it("compares requested resources with recorded jobs", async () => {
    const state = join(root, "state");
    const server = await startServer(["--catalog", join(root, "catalog"), "--state", state]);
    const client = createClient(server.address);
    for (let n = 0; n < 5; n++) {
      const run = await client("POST /api/runs", { body: { tool: "nap", inputs: {}, options: { cache: "off" } } });
      const params = { run_id: "run_id" in run ? run.run_id : assert.fail("the server made a plan") };
      while (!isFinal((await client("GET /api/runs/{run_id}/status", { params })).state)) await sleep(50);
    }
    await server.stop("SIGTERM");
    const { code, stdout } = await weft(["lint", "--state", state, path]);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /`ramMin: 512` was never needed: 5 jobs used at most \d+ MiB/);
  });
});

describe("weft upgrade", () => {
  const old = "# kept\ncwlVersion: v1.1\nclass: Workflow\ninputs: {}\nsteps: {}\noutputs: {}\n";

  it("prints a document, or rewrites documents", async () => {
    writeFileSync(join(root, "old.cwl"), old);
    const printed = await weft(["upgrade", "old.cwl"], { cwd: root });
    assert.deepEqual([printed.code, printed.stdout], [0, old.replace("v1.1", "v1.2")]);
    assert.match(printed.stderr, /old\.cwl: cwlVersion: v1\.1 is now v1\.2/);
    assert.equal((await weft(["upgrade", "--write", "old.cwl", path], { cwd: root })).code, 0);
    assert.equal(readFileSync(join(root, "old.cwl"), "utf8"), printed.stdout);
  });

  it("leaves a document alone that v1.2 would refuse", async () => {
    const text = `cwlVersion: v1.0
class: Workflow
inputs: { a: int }
steps: {}
outputs:
  o: { type: int, outputSource: a, outputBinding: { glob: x } }
`;
    writeFileSync(join(root, "binding.cwl"), text);
    const { code, stderr } = await weft(["upgrade", "--write", "binding.cwl"], { cwd: root });
    assert.equal(code, 1);
    assert.match(stderr, /binding\.cwl:6:\d+: error: .*outputBinding/);
    assert.equal(readFileSync(join(root, "binding.cwl"), "utf8"), text);
    assert.equal((await weft(["upgrade", "none.cwl"], { cwd: root })).code, 2);
  });

  it("rewrites a workflow and a tool of draft-3 that run then", async () => {
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

  it("refuses what cannot be translated, line by line, and writes nothing", async () => {
    const text = `cwlVersion: draft-3
class: Workflow
inputs: []
outputs:
  - {id: "#o", type: Any, source: "#nothing.here"}
steps: []
description: old
doc: new
`;
    writeFileSync(join(root, "mixed.cwl"), text);
    const { code, stdout, stderr } = await weft(["upgrade", "--write", "mixed.cwl"], { cwd: root });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /^mixed\.cwl: line 5: `#nothing\.here` is neither/m);
    assert.match(stderr, /^mixed\.cwl: line 7: there are both `description` and `doc`/m);
    assert.equal(readFileSync(join(root, "mixed.cwl"), "utf8"), text);
  });
});
