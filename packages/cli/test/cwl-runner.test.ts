import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { runToEnd } from "./serving.ts";

const root = await mkdtemp(join(tmpdir(), "weft-cwl-runner-"));
after(() => rm(root, { recursive: true }));
const RUNNER = fileURLToPath(new URL("../bin/cwl-runner.cjs", import.meta.url));
const cwlRunner = (...args: string[]) => runToEnd(process.execPath, [RUNNER, ...args], { cwd: root });

const TOOL = `#!/usr/bin/env cwl-runner
cwlVersion: v1.2
class: CommandLineTool
baseCommand: echo
inputs: { message: { type: string, inputBinding: {} } }
outputs: { said: stdout }
stdout: said.txt
`;
await writeFile(join(root, "say.cwl"), TOOL);

describe("cwl-runner", () => {
  it("runs as the reference runner does, and reports each flag without effect once", async () => {
    const flags = ["--outdir=out", "--cachedir", "a", "--cachedir", "b", "--parallel", "--timestamps"];
    const result = await cwlRunner(...flags, "say.cwl", "--message", "hi");
    assert.equal(result.code, 0, result.stderr);
    assert.equal(result.stderr.match(/--cachedir has no effect/g)?.length, 1);
    const { said } = JSON.parse(result.stdout) as { readonly said: { readonly path: string } };
    assert.equal(await readFile(said.path, "utf8"), "hi\n");
  });

  it("is the interpreter of documents that name it", async () => {
    const bin = join(root, "bin");
    await mkdir(bin);
    await symlink(RUNNER, join(bin, "cwl-runner"));
    await chmod(join(root, "say.cwl"), 0o755);
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
    const result = await runToEnd(join(root, "say.cwl"), ["--message", "from a command"], { cwd: root, env });
    assert.equal(result.code, 0, result.stderr);
    assert.equal(await readFile(join(root, "said.txt"), "utf8"), "from a command\n");
  });

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
    it(`${line} ends with ${code}`, async () => {
      const result = await cwlRunner(...line.split(" ").filter((word) => word !== ""));
      assert.deepEqual([result.code, result.stdout], [code, ""], result.stderr);
      assert.notEqual(result.stderr, "");
    });
});
