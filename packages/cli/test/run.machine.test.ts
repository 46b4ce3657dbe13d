import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { cwlRunner, expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";

const cwd = temporaryFolder();
const read = (path: string) => readFileSync(join(cwd, path), "utf8");

/** Runs documents that are written first; the last word names one of them. */
const run = (files: Readonly<Record<string, string>>, ...words: readonly string[]) => {
  writeFiles(cwd, files);
  return weft(["run", ...words], { cwd });
};

/** A document of v1.2, from its lines. */
const cwl = (...lines: readonly string[]) => `cwlVersion: v1.2\n${lines.join("\n")}\n`;
const shell = (command: string, ...more: readonly string[]) =>
  cwl("class: CommandLineTool", `baseCommand: [sh, -c, '${command}']`, "inputs: {n: int?}", "outputs: {}", ...more);
const echo = (inputs: string, stdout: string) =>
  cwl("class: CommandLineTool", "baseCommand: echo", inputs, "outputs: { o: stdout }", `stdout: ${stdout}`);

describe("weft run", () => {
  it("exits with 1 and shows what the tool wrote if it fails", async () => {
    const { code, stdout, stderr } = await run(
      { "fail.cwl": shell("echo broken pipe >&2; exit 4") },
      ...["--quiet", "fail.cwl"],
    );
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /\| broken pipe/);
    assert.match(stderr, /exit code 4/);
    assert.match(stderr, /broken pipe[^]*hint: see the last lines of its standard error\n/);
  });

  it("continues when every process that ran its job was killed", async () => {
    const kill = `[ -e ${cwd}/killed ] || { touch ${cwd}/killed; kill -9 $(cut -d \\  -f 4 /proc/$PPID/stat) $PPID; exec sleep 600; }`;
    const { code, stderr } = await run({ "killed.cwl": shell(kill) }, "killed.cwl");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /attempt 1 failed .*disappeared/);
  });

  it("does not refer to standard error if it is empty", async () => {
    const { stderr } = await run({ "silent.cwl": shell("exit 4") }, "--quiet", "silent.cwl");
    assert.match(stderr, /hint: the program wrote nothing to standard error/);
  });

  it("runs a document whose JavaScript only the input object permits", async () => {
    const sum = shell("exit $0", 'arguments: ["$(inputs.n - 1)"]');
    const inputs = "n: 1\ncwl:requirements: [{class: InlineJavascriptRequirement}]\n";
    const { code, stderr } = await run({ "sum.cwl": sum, "sum.yml": inputs }, "--quiet", "sum.cwl", "sum.yml");
    assert.equal(code, 0, stderr);
    assert.match((await run({}, "sum.cwl", "--n", "1")).stderr, /InlineJavascriptRequirement is not/);
  });

  it("runs a remote document with remote inputs, and says why one is missing", async () => {
    const cat = ["baseCommand: cat", "stdin: $(inputs.x.path)", "inputs: {x: File}", "outputs: {o: stdout}"];
    const files: Readonly<Record<string, string>> = {
      "/cat.cwl": cwl("class: CommandLineTool", ...cat, "stdout: o.txt"),
      "/in.yml": "x: {class: File, location: data/x.txt}\n",
      "/data/x.txt": "from the web\n",
    };
    const web = createServer((request, response) => {
      const content = files[request.url ?? ""];
      response.writeHead(content === undefined ? 404 : 200).end(content);
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`; // it listens on a port
    const words = (document: string) => ["run", "--outdir", "web", `${base}/${document}`, `${base}/in.yml`];
    const { stderr } = await expectSuccess(words("cat.cwl"), { cwd });
    assert.match(stderr, /Fetching http:\S+\/data\/x\.txt/);
    assert.equal(read("web/o.txt"), "from the web\n");
    await expectExit(words("none.cwl"), 1, /none\.cwl: the server answered 404/, { cwd });
    await new Promise((resolve) => web.close(resolve));
  });

  it("replaces what an earlier run left in the output folder", async () => {
    const same = { "same.cwl": echo("arguments: [hi]\ninputs: {}", "same.txt") };
    for (const _ of [1, 2]) {
      const { stdout } = await run(same, "--quiet", "--outdir", "again", "same.cwl");
      assert.equal((JSON.parse(stdout) as { o: { path: string } }).o.path, join(cwd, "again/same.txt"));
    }
    assert.equal(read("again/same.txt"), "hi\n");
  });

  it("takes inputs from flags, standard input and documents named by an input object", async () => {
    const inputs =
      "inputs:\n  outdir: {type: string, inputBinding: {}}\n  n: {type: int, default: 1, inputBinding: {}}";
    const files = {
      "say.cwl": echo(inputs, "said.txt"),
      "say.yml": "outdir: file\nn: 2\n",
      "tool.yml": "cwl:tool: say.cwl\noutdir: named\n",
    };
    const outputOf = async (...words: string[]) => {
      const { code, stderr } = await run(files, "--quiet", "--outdir", "said", ...words);
      assert.equal(code, 0, stderr);
      return read("said/said.txt");
    };
    assert.equal(await outputOf("say.cwl", "--outdir", "flag", "--n", "3"), "3 flag\n");
    assert.equal(await outputOf("say.cwl", "say.yml", "--n=4", "--quiet"), "4 file\n");
    assert.equal(await outputOf("tool.yml", "-n", "5"), "5 named\n");
    const unknown = /unknown option --nothing; inputs of the document: --outdir --n/;
    assert.equal((await expectExit(["run", "say.cwl", "--nothing", "x"], 2, unknown, { cwd })).stdout, "");
    await expectExit(["run", "say.cwl", "say.yml", "say.yml"], 2, /only one input object/, { cwd });
  });

  it("resolves paths of inputs from --basedir", async () => {
    const cat = echo("inputs: { f: { type: File, inputBinding: {} } }", "cat.txt").replace(": echo", ": cat");
    const files = {
      "cat.cwl": cat,
      "base/data.txt": "data\n",
      "cat.yml": "f: { class: File, path: data.txt }\n",
    };
    for (const words of [["cat.yml"], ["--f", "data.txt"]]) {
      const { code } = await run(files, "--quiet", "--outdir", "cat", "--basedir", "base", "cat.cwl", ...words);
      assert.equal(code, 0);
      assert.equal(read("cat/cat.txt"), "data\n");
    }
  });

  it("runs the part that a target needs, with other requirements, and writes a summary", async () => {
    const print = ["class: CommandLineTool", "baseCommand: [sh, -c, 'echo $WORD $KEPT']", "inputs: []"];
    const two = [
      ...["class: Workflow", "inputs: { never: string }"],
      "outputs: { one: { type: File, outputSource: one/o }, two: { type: File, outputSource: two/o } }",
      ...["steps:", "  one: { run: env.cwl, in: [], out: [o] }"],
      "  two: { run: env.cwl, in: { x: never }, out: [o] }",
    ];
    writeFiles(cwd, {
      "env.cwl": cwl(...print, "outputs: { o: stdout }", "stdout: env.txt"),
      "two.cwl": cwl(...two),
      "over.yml":
        "cwltool:overrides: { env.cwl: { requirements: { EnvVarRequirement: { envDef: { WORD: given } } } } }\n",
    });
    const words = ["run", "--target", "one", "--outdir", "two", "--write-summary", "two.json"];
    const context = { cwd, env: { ...process.env, KEPT: "kept $(inputs.x)" } };
    assert.equal((await expectSuccess([...words, "--overrides", "over.yml", "two.cwl"], context)).stdout, "");
    assert.deepEqual(Object.keys(JSON.parse(read("two.json")) as object), ["one"]);
    assert.equal(read("two/env.txt"), "given\n");
    await expectSuccess([...words, "--preserve-environment", "KEPT", "two.cwl"], context);
    assert.equal(read("two/env.txt"), "kept $(inputs.x)\n");
    const unknown = /the workflow has no "on"; did you mean "one"\?/;
    await expectExit(["run", "--target", "on", "two.cwl"], 2, unknown, { cwd });
  });

  it("accepts unknown fields with --non-strict, and keeps its temporary folder if asked to", async () => {
    const loose = { "loose.cwl": shell("true", "nonsense: 5") };
    assert.equal((await run(loose, "--quiet", "loose.cwl")).code, 1);
    const flags = ["--non-strict", "--leave-tmpdir", "--tmpdir-prefix", "kept/run"];
    assert.equal((await run(loose, "--quiet", ...flags, "loose.cwl")).code, 0);
    assert.match(readdirSync(join(cwd, "kept")).join(), /^run\w+$/);
  });

  it("continues with independent steps with --on-error continue", async () => {
    const step = (name: string, command: string, inputs: string, links: string) =>
      `  ${name}: { run: { class: CommandLineTool, baseCommand: ${command}, inputs: ${inputs}, outputs: { o: stdout } }, in: ${links}, out: [o] }`;
    const marks = "{ w: File?, m: { type: string, inputBinding: {} } }";
    const fails = cwl(
      ...["class: Workflow", "requirements: { StepInputExpressionRequirement: {} }", "inputs: []", "outputs: []"],
      "steps:",
      step("bad", `[sh, -c, "touch ${cwd}/bad; false"]`, "[]", "[]"),
      step("slow", `[sh, -c, "until [ -e ${cwd}/bad ]; do sleep 0.1; done; sleep 1"]`, "[]", "[]"),
      step("after", "touch", marks, `{ w: slow/o, m: { default: ${cwd}/after } }`),
    );
    assert.equal((await run({ "fails.cwl": fails }, "--quiet", "fails.cwl")).code, 1);
    assert.equal(existsSync(join(cwd, "after")), false);
    assert.equal((await run({}, "--quiet", "--on-error", "continue", "fails.cwl")).code, 1);
    assert.equal(existsSync(join(cwd, "after")), true);
    assert.equal((await run({}, "--on-error", "never", "fails.cwl")).code, 2);
  });
});

it("cwl-runner runs as the reference runner does, and reports each flag without effect once", async () => {
  writeFiles(cwd, { "hi.cwl": echo("inputs: { message: { type: string, inputBinding: {} } }", "hi.txt") });
  const flags = ["--outdir=runner", "--cachedir", "a", "--cachedir", "b", "--parallel", "--timestamps"];
  const { code, stderr } = await cwlRunner([...flags, "hi.cwl", "--message", "hi"], { cwd });
  assert.equal(code, 0, stderr);
  assert.equal(stderr.match(/--cachedir has no effect/g)?.length, 1);
  assert.equal(read("runner/hi.txt"), "hi\n");
});
