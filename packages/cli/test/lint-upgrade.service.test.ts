import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { weft } from "../src/testing/run-in-process.ts";

const root = temporaryFolder();
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
  it("exits with 1 and names the line of the advice", async () => {
    writeFiles(root, {
      "t.cwl": "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: ls\ninputs: {}\noutputs: {}\n",
    });
    const { code, stdout } = await weft(["lint", "t.cwl"], { cwd: root });
    assert.equal(code, 1);
    assert.match(stdout, /^t\.cwl:1:1: warning: the process has no `doc`\n[^]*t\.cwl: 2 findings\n$/);
    assert.deepEqual((await weft(["lint", path])).stdout, `${path}: nothing to improve\n`);
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

  it("does not change a document that v1.2 would refuse", async () => {
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

  it("lists the lines that cannot be translated, and writes nothing", async () => {
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
