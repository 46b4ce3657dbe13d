import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { cwlRunner as runCwlRunner } from "../src/testing/run-in-process.ts";

const TOOL = `#!/usr/bin/env cwl-runner
cwlVersion: v1.2
class: CommandLineTool
baseCommand: echo
inputs: { message: { type: string, inputBinding: {} } }
outputs: { said: stdout }
stdout: said.txt
`;
const cwd = temporaryFolder({ "say.cwl": TOOL });
const cwlRunner = (...words: string[]) => runCwlRunner(words, { cwd });

describe("cwl-runner", () => {
  const commands: readonly [string, RegExp][] = [
    ["--version", /^cwl-runner \(Weft \S+\)\n$/],
    ["--print-supported-versions", /^v1\.0\nv1\.1\nv1\.2\n/],
    ["--validate say.cwl", /CommandLineTool is valid/],
    ["--print-dot say.cwl", /^digraph network \{/],
    ["--print-deps say.cwl", /"location": "say\.cwl"/],
    ["--pack say.cwl", /"cwlVersion": "v1\.2"/],
    ["--make-template say.cwl", /^message: text$/m],
    ["--print-targets say.cwl", /^output  said  File$/m],
    ["--help", /^Usage: cwl-runner /],
  ];
  for (const [line, expected] of commands)
    it(`${line} runs nothing`, async () => {
      const { code, stdout, stderr } = await cwlRunner(...line.split(" "));
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, expected);
    });

  it("names its own help page", async () => {
    const { stderr } = await cwlRunner("say.cwl", "--nothing", "x");
    assert.match(stderr, /unknown option --nothing[^]*Run "cwl-runner --help" for usage/);
  });

  const failures: readonly [string, number][] = [
    ["", 1],
    ["--nope say.cwl", 2],
    ["--outdir", 2],
    ["none.cwl", 1],
    ["--quiet say.cwl", 1],
  ];
  for (const [line, code] of failures)
    it(`${line} exits with ${code}`, async () => {
      const result = await cwlRunner(...line.split(" ").filter((word) => word !== ""));
      assert.deepEqual([result.code, result.stdout], [code, ""], result.stderr);
      assert.notEqual(result.stderr, "");
    });
});
