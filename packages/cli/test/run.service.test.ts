import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { weft } from "../src/testing/run-in-process.ts";

const root = temporaryFolder();

describe("weft run", () => {
  const document = async (name: string, text: string) => {
    await mkdir(join(root, "docs"), { recursive: true });
    const path = join(root, "docs", name);
    await writeFile(path, text);
    return path;
  };
  const tool = (command: string, more = "") =>
    `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [sh, -c, '${command}']\ninputs:\n  n: int?\noutputs: {}\n${more}`;

  it("points at the line and column of a wrong document", async () => {
    const path = await document(
      "wrong.cwl",
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseComand: echo\ninputs: {}\noutputs: {}\n",
    );
    const result = await weft(["run", path], { cwd: root });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /wrong\.cwl:3:1: error: .*baseComand/);
    assert.match(result.stderr, /baseCommand/);
  });

  it("points at a wrong input", async () => {
    const path = await document("int.cwl", tool("true"));
    const inputs = await document("int.yml", "# a comment\nn: three\n");
    const result = await weft(["run", path, inputs], { cwd: root });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /int\.yml:2:\d+: error: .*int/);
  });

  it("names the field, the limit and the first line of an expression that does not end", async () => {
    const path = await document(
      "endless.cwl",
      `${tool("true")}requirements: {InlineJavascriptRequirement: {}}\narguments: ["\${for (;;); return 1;}"]\n`,
    );
    const result = await weft(["run", "--quiet", "--eval-timeout", "1", path], { cwd: root });
    assert.equal(result.code, 1);
    assert.match(
      result.stderr,
      /the expression `\$\{for \(;;\); return 1;\}` did not finish within 1 s \(arguments\.0\.valueFrom\)/,
    );
  });

  it("exits with 33 for an unsupported requirement", async () => {
    const path = await document("operation.cwl", "cwlVersion: v1.2\nclass: Operation\ninputs: {}\noutputs: {}\n");
    assert.equal((await weft(["run", path], { cwd: root })).code, 33);
  });

  it("exits with 2 for a wrong command line", async () => {
    assert.equal((await weft(["run"])).code, 2);
    assert.equal((await weft(["rum"])).code, 2);
    assert.equal((await weft(["--help"])).code, 0);
  });

  it("refuses a document from a host that is not allowed, and an invalid host", async () => {
    const path = "http://127.0.0.1:1/cat.cwl";
    const refused = await weft(["run", "--allow-http", "example.org", path], { cwd: root });
    assert.match(refused.stderr, /127\.0\.0\.1 is not among the hosts/);
    assert.equal((await weft(["run", "--allow-http", "http://x/", path], { cwd: root })).code, 2);
  });

  it("plans without starting or writing anything", async () => {
    const path = await document(
      "planned.cwl",
      tool("touch started").replace("int?", "{ type: int, inputBinding: {} }"),
    );
    const inputs = await document("planned.yml", "n: 7\n");
    const outdir = join(root, "planned");
    const plan = (...more: string[]) => weft(["run", "--outdir", outdir, "--plan", ...more, path, inputs]);
    const text = await plan();
    assert.equal(text.code, 0, text.stderr);
    assert.match(
      text.stdout,
      /^Nothing was started[^]*the tool: 1 job\n[^]*container: none[^]*command: sh -c 'touch started' 7 /,
    );
    const record = await plan("--json");
    const { jobs, steps } = JSON.parse(record.stdout) as { jobs: { command: { argv: string[] } }[]; steps: unknown[] };
    assert.deepEqual(jobs[0]?.command.argv, ["sh", "-c", "touch started", "7"]);
    assert.equal(steps.length, 1);
    assert.equal(existsSync(outdir), false);
  });

  it("explains why it cannot make a plan, and that --json requires --plan", async () => {
    const path = await document("unplanned.cwl", tool("true").replace("int?", "int"));
    const missing = await weft(["run", "--plan", path]);
    assert.deepEqual([missing.code, missing.stdout], [1, ""]);
    assert.match(missing.stderr, /`n` of type int is required/);
    const greedy = await document(
      "greedy.cwl",
      tool("true", "requirements: {ResourceRequirement: {ramMin: 1000000000}}\n"),
    );
    const refused = await weft(["run", "--plan", greedy]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /1000000000 MiB of memory[^]*hint: /);
    assert.equal((await weft(["run", "--json", path])).code, 2);
  });

  it("refuses a file as the folder for outputs before anything runs", async () => {
    const path = join(root, "touch.cwl");
    const marker = join(root, "ran");
    const tool = {
      cwlVersion: "v1.2",
      class: "CommandLineTool",
      baseCommand: ["touch", marker],
      inputs: {},
      outputs: {},
    };
    await writeFile(path, JSON.stringify(tool));
    for (const outdir of [path, join(path, "below")]) {
      const result = await weft(["run", "--outdir", outdir, path]);
      assert.equal(result.code, 2);
      assert.match(result.stderr, /--outdir: .*touch\.cwl.* is a file or is inside one; choose a folder/);
    }
    assert.equal(existsSync(marker), false);
  });

  it("prints the flags of a document, and an input object to fill in", async () => {
    const path = await document("help.cwl", tool("true"));
    const help = await weft(["run", path, "--help"]);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /^Usage: weft run .*help\.cwl[^]*\n {2}-n <int>\n/);
    const template = await weft(["init", path]);
    assert.deepEqual([template.code, template.stdout.split("\n").slice(2)], [0, ["# (int, optional)", "# n: 1", ""]]);
    assert.equal((await weft(["init", join(root, "none.cwl")])).code, 1);
  });
});
