import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";

const tool = (command: string, more = "") =>
  `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [sh, -c, '${command}']\ninputs:\n  n: int?\noutputs: {}\n${more}`;
const cwd = temporaryFolder({
  "wrong.cwl": "cwlVersion: v1.2\nclass: CommandLineTool\nbaseComand: echo\ninputs: {}\noutputs: {}\n",
  "tool.cwl": tool("true"),
  "wrong.yml": "# a comment\nn: three\n",
  "endless.cwl": `${tool("true")}requirements: {InlineJavascriptRequirement: {}}\narguments: ["\${for (;;); return 1;}"]\n`,
  "operation.cwl": "cwlVersion: v1.2\nclass: Operation\ninputs: {}\noutputs: {}\n",
  "planned.cwl": tool("touch started").replace("int?", "{ type: int, inputBinding: {} }"),
  "planned.yml": "n: 7\n",
  "greedy.cwl": tool("true", "requirements: {ResourceRequirement: {ramMin: 1000000000}}\n"),
  "touch.cwl": tool("touch ran"),
});
const run = (...words: string[]) => ["run", ...words];

describe("weft run", () => {
  const refused: readonly [string, string[], number, RegExp][] = [
    [
      "points at the line and column of a wrong document",
      run("wrong.cwl"),
      1,
      /wrong\.cwl:3:1: error: .*baseComand[^]*baseCommand/,
    ],
    ["points at a wrong input", run("tool.cwl", "wrong.yml"), 1, /wrong\.yml:2:\d+: error: .*int/],
    [
      "names the field, the limit and the first line of an expression that does not end",
      run("--quiet", "--eval-timeout", "1", "endless.cwl"),
      1,
      /the expression `\$\{for \(;;\); return 1;\}` did not finish within 1 s \(arguments\.0\.valueFrom\)/,
    ],
    ["exits with 33 for an unsupported requirement", run("operation.cwl"), 33, /Operation/],
    ["exits with 2 without a document", run(), 2, /missing required argument/],
    ["exits with 2 for an unknown command", ["rum"], 2, /unknown command/],
    [
      "refuses a document from a host that is not allowed",
      run("--allow-http", "example.org", "http://127.0.0.1:1/cat.cwl"),
      1,
      /127\.0\.0\.1 is not among the hosts/,
    ],
    ["refuses an invalid host", run("--allow-http", "http://x/", "tool.cwl"), 2, /--allow-http takes hosts/],
    ["explains why it cannot make a plan", run("--plan", "planned.cwl"), 1, /`n` of type int is required/],
    ["says how to list the inputs", run("planned.cwl"), 1, /Run "weft run planned\.cwl --help" for the inputs\.\n$/],
    ["plans no job that this machine cannot run", run("--plan", "greedy.cwl"), 1, /1000000000 MiB of memory[^]*hint: /],
    ["prints only plans as JSON", run("--json", "planned.cwl"), 2, /--json requires --plan/],
    [
      "refuses a file as the folder for outputs",
      run("--outdir", "tool.cwl", "touch.cwl"),
      2,
      /--outdir: .*tool\.cwl is a file or is inside one; choose a folder/,
    ],
    ["refuses a folder in a file", run("--outdir", "tool.cwl/below", "touch.cwl"), 2, /below is a file or is inside/],
  ];
  for (const [name, words, code, message] of refused)
    it(name, async () => {
      assert.equal((await expectExit(words, code, message, { cwd })).stdout, "");
      assert.equal(existsSync(join(cwd, "ran")), false);
    });

  it("plans without starting or writing anything", async () => {
    const words = run("--outdir", "out", "--plan", "planned.cwl", "planned.yml");
    const text = await expectSuccess(words, { cwd });
    const expected =
      /^Nothing was started[^]*the tool: 1 job\n[^]*container: none[^]*command: sh -c 'touch started' 7 /;
    assert.match(text.stdout, expected);
    const record = await expectSuccess([...words, "--json"], { cwd });
    const { jobs, steps } = JSON.parse(record.stdout) as { jobs: { command: { argv: string[] } }[]; steps: unknown[] };
    assert.deepEqual(jobs[0]?.command.argv, ["sh", "-c", "touch started", "7"]);
    assert.equal(steps.length, 1);
    assert.equal(existsSync(join(cwd, "out")), false);
  });

  it("prints the flags of a document, and an input object to fill in", async () => {
    const help = await expectSuccess(run("tool.cwl", "--help"), { cwd });
    assert.match(help.stdout, /^Usage: weft run .*tool\.cwl[^]*\n {2}-n <int>\n/);
    const template = await expectSuccess(["init", "tool.cwl"], { cwd });
    assert.deepEqual(template.stdout.split("\n").slice(2), ["# (int, optional)", "# n: 1", ""]);
    assert.equal((await weft(["init", "none.cwl"], { cwd })).code, 1);
    assert.equal((await weft(["--help"])).code, 0);
  });
});
