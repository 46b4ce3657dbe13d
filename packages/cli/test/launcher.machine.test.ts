import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { LAUNCHER, runToEnd, startServer } from "./serving.ts";

const RUNNER = fileURLToPath(new URL("../bin/cwl-runner.cjs", import.meta.url));

const TOOL = `#!/usr/bin/env cwl-runner
cwlVersion: v1.2
class: CommandLineTool
baseCommand: echo
inputs: { message: { type: string, inputBinding: {} } }
outputs: { said: stdout }
stdout: said.txt
`;

const SLEEP =
  "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [sh, -c, 'sleep 300 & sleep 300']\ninputs: {}\noutputs: {}\n";
const root = temporaryFolder({
  "fails.cwl": "cwlVersion: v1.2\nclass: Operation\ninputs: {n: int}\noutputs: {}\n",
  "probe.mjs": "process.stdout.write(`${process.execPath}\\n${'__proto__' in {}}\\n`);",
  "sleeps.cwl": SLEEP,
  "say.cwl": TOOL,
  "bin/": "",
});

describe("the program weft", () => {
  it("passes words, streams, folder, environment and exit code through", async () => {
    const env = { ...process.env, WEFT_QUIET: "1" };
    const result = await runToEnd(process.execPath, [LAUNCHER, "run", "fails.cwl", "--n", "x"], { cwd: root, env });
    assert.deepEqual([result.code, result.stdout], [2, ""]);
    assert.match(result.stderr, /^weft: .*--n/);
  });

  it("runs on the pinned Node, without __proto__", async () => {
    const env = { ...process.env, NODE_OPTIONS: `--import=${join(root, "probe.mjs")}` };
    const { stdout } = await runToEnd(process.execPath, [LAUNCHER, "version"], { env });
    const [, , path, hasProto, version] = stdout.split("\n");
    assert.match(path ?? "", /node-linux-|node-bin-darwin-|node$/);
    assert.equal(hasProto, "false");
    assert.match(version ?? "", /^weft \d/);
  });

  for (const words of [
    [LAUNCHER, "serve", "--help"],
    [RUNNER, "--help"],
  ])
    it(`exits with 0 if its reader stops early: ${words.slice(1).join(" ")}`, async () => {
      const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
      child.stdout.destroy();
      let errors = "";
      child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
      const [code] = (await once(child, "close")) as [number | null];
      assert.deepEqual([code, errors], [0, ""]);
    });

  it("aborts once, however many signals it gets, and proves in one line that nothing is left", async () => {
    const words = [LAUNCHER, "run", "sleeps.cwl"];
    const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      if (!stderr.includes("started") && `${stderr}${chunk.toString()}`.includes("started"))
        for (const _ of [1, 2, 3]) child.kill("SIGINT");
      stderr += chunk.toString();
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    assert.equal(code, 130, stderr);
    assert.equal(stderr.match(/^weft: aborted: \d+ process(?:es)? stopped.*; verified after /gm)?.length, 1, stderr);
  });

  it("exits at once on the second signal while it serves", async () => {
    const server = await startServer(["--state", join(root, "state")]);
    const closed = once(server.child, "exit");
    // The launcher is paused meanwhile, so that it cannot exit between the two signals.
    for (const signal of ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"] as const) server.child.kill(signal);
    const [code] = (await closed) as [number | null];
    assert.equal(code, 130);
  });
});

describe("the program cwl-runner", () => {
  it("is the interpreter of documents that name it", async () => {
    const bin = join(root, "bin");
    await symlink(RUNNER, join(bin, "cwl-runner"));
    await chmod(join(root, "say.cwl"), 0o755);
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
    const result = await runToEnd(join(root, "say.cwl"), ["--message", "from a command"], { cwd: root, env });
    assert.equal(result.code, 0, result.stderr);
    assert.equal(await readFile(join(root, "said.txt"), "utf8"), "from a command\n");
  });
});
