import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";

const OLD = "# kept\ncwlVersion: v1.1\nclass: Workflow\ninputs: {}\nsteps: {}\noutputs: {}\n";
const BINDING = `cwlVersion: v1.0
class: Workflow
inputs: { a: int }
steps: {}
outputs:
  o: { type: int, outputSource: a, outputBinding: { glob: x } }
`;
const MIXED = `cwlVersion: draft-3
class: Workflow
inputs: []
outputs:
  - {id: "#o", type: Any, source: "#nothing.here"}
steps: []
description: old
doc: new
`;
const tool = (more: string) =>
  `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: ls\n${more}inputs: {}\noutputs: {}\n`;
const cwd = temporaryFolder({
  "sound.cwl": tool("doc: Lists.\nhints: { SoftwareRequirement: { packages: [{ package: coreutils }] } }\n"),
  "bare.cwl": tool(""),
  "old.cwl": OLD,
  "binding.cwl": BINDING,
  "mixed.cwl": MIXED,
});
const read = (name: string) => readFileSync(join(cwd, name), "utf8");

it("weft lint exits with 1 and names the line of the advice", async () => {
  const { code, stdout } = await weft(["lint", "bare.cwl"], { cwd });
  assert.equal(code, 1);
  assert.match(stdout, /^bare\.cwl:1:1: warning: the process has no `doc`\n[^]*bare\.cwl: 2 findings\n$/);
  assert.equal((await expectSuccess(["lint", "sound.cwl"], { cwd })).stdout, "sound.cwl: nothing to improve\n");
});

describe("weft upgrade", () => {
  it("prints a document, or rewrites documents", async () => {
    const printed = await expectSuccess(["upgrade", "old.cwl"], { cwd });
    assert.equal(printed.stdout, OLD.replace("v1.1", "v1.2"));
    assert.match(printed.stderr, /old\.cwl: cwlVersion: v1\.1 is now v1\.2/);
    await expectSuccess(["upgrade", "--write", "old.cwl", "sound.cwl"], { cwd });
    assert.equal(read("old.cwl"), printed.stdout);
  });

  it("does not change a document that v1.2 would refuse", async () => {
    await expectExit(["upgrade", "--write", "binding.cwl"], 1, /binding\.cwl:6:\d+: error: .*outputBinding/, { cwd });
    assert.equal(read("binding.cwl"), BINDING);
    await expectExit(["upgrade", "none.cwl"], 2, /none\.cwl cannot be read/, { cwd });
  });

  it("lists the lines that cannot be translated, and writes nothing", async () => {
    const lines =
      /^mixed\.cwl: line 5: `#nothing\.here` is neither[^]*^mixed\.cwl: line 7: there are both `description` and `doc`/m;
    assert.equal((await expectExit(["upgrade", "--write", "mixed.cwl"], 1, lines, { cwd })).stdout, "");
    assert.equal(read("mixed.cwl"), MIXED);
  });
});
