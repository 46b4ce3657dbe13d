import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { cwlRunner, weft } from "../src/testing/run-in-process.ts";

const root = await mkdtemp(join(tmpdir(), "weft-run-"));
after(() => rm(root, { recursive: true }));

describe("weft run", () => {
  const document = async (name: string, text: string) => {
    await mkdir(join(root, "docs"), { recursive: true });
    const path = join(root, "docs", name);
    await writeFile(path, text);
    return path;
  };
  const tool = (command: string, more = "") =>
    `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [sh, -c, '${command}']\ninputs:\n  n: int?\noutputs: {}\n${more}`;

  it("exits with 1 and shows what the tool wrote if it fails", async () => {
    const result = await weft(["run", "--quiet", await document("fail.cwl", tool("echo broken pipe >&2; exit 4"))], {
      cwd: root,
    });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /\| broken pipe/);
    assert.match(result.stderr, /exit code 4/);
    assert.match(result.stderr, /broken pipe[^]*hint: see the last lines of its standard error\n/);
    assert.equal(result.stdout, "");
  });

  it("continues when every process that ran its job was killed", async () => {
    const marker = join(root, "killed");
    const kill = `[ -e ${marker} ] || { touch ${marker}; kill -9 $(cut -d \\  -f 4 /proc/$PPID/stat) $PPID; exec sleep 600; }`;
    const path = await document("killed.cwl", tool(kill));
    const result = await weft(["run", path], { cwd: root });
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stderr, /attempt 1 failed .*disappeared/);
  });

  it("does not refer to standard error if it is empty", async () => {
    const result = await weft(["run", "--quiet", await document("silent.cwl", tool("exit 4"))], { cwd: root });
    assert.match(result.stderr, /hint: the program wrote nothing to standard error/);
  });

  it("runs a document whose JavaScript only the input object permits", async () => {
    const path = await document("sum.cwl", `${tool("exit $0")}arguments: ["$(inputs.n - 1)"]\n`);
    const inputs = await document("sum.yml", "n: 1\ncwl:requirements: [{class: InlineJavascriptRequirement}]\n");
    const result = await weft(["run", "--quiet", path, inputs], { cwd: root });
    assert.equal(result.code, 0, result.stderr);
    assert.match((await weft(["run", path, "--n", "1"], { cwd: root })).stderr, /InlineJavascriptRequirement is not/);
  });

  it("runs a remote document with remote inputs, and says why one is missing", async () => {
    const files: Readonly<Record<string, string>> = {
      "/cat.cwl":
        "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: cat\nstdin: $(inputs.x.path)\ninputs: {x: File}\noutputs: {o: stdout}\nstdout: o.txt\n",
      "/in.yml": "x: {class: File, location: data/x.txt}\n",
      "/data/x.txt": "from the web\n",
    };
    const web = createServer((request, response) => {
      const content = files[request.url ?? ""];
      response.writeHead(content === undefined ? 404 : 200).end(content);
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`; // it listens on a port
    const outdir = join(root, "web");
    const run = (document: string, ...more: string[]) =>
      weft(["run", "--outdir", outdir, ...more, `${base}/${document}`, `${base}/in.yml`]);
    const result = await run("cat.cwl");
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stderr, /Fetching http:\S+\/data\/x\.txt/);
    assert.equal(await readFile(join(outdir, "o.txt"), "utf8"), "from the web\n");
    const missing = await run("none.cwl");
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /none\.cwl: the server answered 404/);
    await new Promise((resolve) => web.close(resolve));
  });

  it("replaces what an earlier run left in the output folder", async () => {
    const path = await document(
      "same.cwl",
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [echo, hi]\ninputs: {}\noutputs: { o: stdout }\nstdout: same.txt\n",
    );
    const outdir = join(root, "again");
    for (const _ of [1, 2]) {
      const result = await weft(["run", "--quiet", "--outdir", outdir, path]);
      assert.equal((JSON.parse(result.stdout) as { o: { path: string } }).o.path, join(outdir, "same.txt"));
    }
    assert.equal(await readFile(join(outdir, "same.txt"), "utf8"), "hi\n");
  });

  it("takes inputs from flags, standard input and documents named by an input object", async () => {
    const path = await document(
      "say.cwl",
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: echo\ninputs:\n  outdir: {type: string, inputBinding: {}}\n  n: {type: int, default: 1, inputBinding: {}}\noutputs: { o: stdout }\nstdout: said.txt\n",
    );
    const outdir = join(root, "said");
    const outputOf = async (...words: string[]) => {
      const result = await weft(["run", "--quiet", "--outdir", outdir, ...words], { cwd: root });
      assert.equal(result.code, 0, result.stderr);
      return readFile(join(outdir, "said.txt"), "utf8");
    };
    const inputs = await document("say.yml", "outdir: file\nn: 2\n");
    assert.equal(await outputOf(path, "--outdir", "flag", "--n", "3"), "3 flag\n");
    assert.equal(await outputOf(path, inputs, "--n=4", "--quiet"), "4 file\n");
    assert.equal(
      await outputOf(await document("tool.yml", "cwl:tool: say.cwl\noutdir: named\n"), "-n", "5"),
      "5 named\n",
    );
    const unknown = await weft(["run", path, "--nothing", "x"]);
    assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
    assert.match(unknown.stderr, /unknown option --nothing; inputs of the document: --outdir --n/);
    assert.equal((await weft(["run", path, inputs, inputs])).code, 2);
  });

  it("resolves paths of inputs from --basedir", async () => {
    const path = await document(
      "cat.cwl",
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: cat\ninputs: { f: { type: File, inputBinding: {} } }\noutputs: { o: stdout }\nstdout: cat.txt\n",
    );
    await mkdir(join(root, "base"), { recursive: true });
    await writeFile(join(root, "base", "data.txt"), "data\n");
    const inputs = await document("cat.yml", "f: { class: File, path: data.txt }\n");
    for (const words of [[inputs], ["--f", "data.txt"]]) {
      const run = ["run", "--quiet", "--outdir", join(root, "cat"), "--basedir", join(root, "base"), path, ...words];
      assert.equal((await weft(run)).code, 0);
      assert.equal(await readFile(join(root, "cat", "cat.txt"), "utf8"), "data\n");
    }
  });

  it("runs the part that a target needs, with other requirements, and writes a summary", async () => {
    await document(
      "env.cwl",
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [sh, -c, 'echo $WORD $KEPT']\ninputs: []\noutputs: { o: stdout }\nstdout: env.txt\n",
    );
    const path = await document(
      "two.cwl",
      "cwlVersion: v1.2\nclass: Workflow\ninputs: { never: string }\noutputs: { one: { type: File, outputSource: one/o }, two: { type: File, outputSource: two/o } }\nsteps:\n  one: { run: env.cwl, in: [], out: [o] }\n  two: { run: env.cwl, in: { x: never }, out: [o] }\n",
    );
    const over = await document(
      "over.yml",
      "cwltool:overrides: { env.cwl: { requirements: { EnvVarRequirement: { envDef: { WORD: given } } } } }\n",
    );
    const [outdir, summary] = [join(root, "two"), join(root, "two.json")];
    const flags = ["--target", "one", "--outdir", outdir, "--write-summary", summary];
    const env = { ...process.env, KEPT: "kept $(inputs.x)" };
    const run = (...more: string[]) => weft(["run", ...flags, ...more, path], { env });
    const result = await run("--overrides", over);
    assert.deepEqual([result.code, result.stdout], [0, ""], result.stderr);
    assert.deepEqual(Object.keys(JSON.parse(await readFile(summary, "utf8")) as object), ["one"]);
    assert.equal(await readFile(join(outdir, "env.txt"), "utf8"), "given\n");
    assert.equal((await run("--preserve-environment", "KEPT")).code, 0);
    assert.equal(await readFile(join(outdir, "env.txt"), "utf8"), "kept $(inputs.x)\n");
    const unknown = await weft(["run", "--target", "on", path]);
    assert.deepEqual([unknown.code, /the workflow has no "on"; did you mean "one"\?/.test(unknown.stderr)], [2, true]);
  });

  it("accepts unknown fields with --non-strict, and keeps its temporary folder if asked to", async () => {
    const path = await document("loose.cwl", tool("true", "nonsense: 5\n"));
    assert.equal((await weft(["run", "--quiet", path], { cwd: root })).code, 1);
    const prefix = join(root, "kept", "run");
    const flags = ["--non-strict", "--leave-tmpdir", "--tmpdir-prefix", prefix];
    assert.equal((await weft(["run", "--quiet", ...flags, path], { cwd: root })).code, 0);
    assert.match((await readdir(join(root, "kept"))).join(), /^run\w+$/);
  });

  it("continues with independent steps with --on-error continue", async () => {
    const fails = "{ class: CommandLineTool, baseCommand: 'false', inputs: { f: File? }, outputs: { o: stdout } }";
    const marks = `{ class: CommandLineTool, baseCommand: touch, inputs: { m: { type: string, inputBinding: {} } }, outputs: [] }`;
    const path = await document(
      "fails.cwl",
      `cwlVersion: v1.2\nclass: Workflow\nrequirements: { StepInputExpressionRequirement: {} }\ninputs: []\noutputs: []\nsteps:\n  bad: { run: ${fails}, in: [], out: [o] }\n  slow: { run: { class: CommandLineTool, baseCommand: [sleep, "1"], inputs: [], outputs: { o: stdout } }, in: [], out: [o] }\n  after: { run: ${marks.replace("inputs: {", "inputs: { w: File?,")}, in: { w: slow/o, m: { default: ${join(root, "after")} } }, out: [] }\n`,
    );
    assert.equal((await weft(["run", "--quiet", path], { cwd: root })).code, 1);
    assert.equal(existsSync(join(root, "after")), false);
    assert.equal((await weft(["run", "--quiet", "--on-error", "continue", path], { cwd: root })).code, 1);
    assert.equal(existsSync(join(root, "after")), true);
    assert.equal((await weft(["run", "--on-error", "never", path], { cwd: root })).code, 2);
  });
});

describe("cwl-runner", () => {
  it("runs as the reference runner does, and reports each flag without effect once", async () => {
    await writeFile(
      join(root, "say.cwl"),
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: echo\ninputs: { message: { type: string, inputBinding: {} } }\noutputs: { said: stdout }\nstdout: said.txt\n",
    );
    const flags = ["--outdir=runner", "--cachedir", "a", "--cachedir", "b", "--parallel", "--timestamps"];
    const result = await cwlRunner([...flags, "say.cwl", "--message", "hi"], { cwd: root });
    assert.equal(result.code, 0, result.stderr);
    assert.equal(result.stderr.match(/--cachedir has no effect/g)?.length, 1);
    const { said } = JSON.parse(result.stdout) as { readonly said: { readonly path: string } };
    assert.equal(await readFile(said.path, "utf8"), "hi\n");
  });
});
