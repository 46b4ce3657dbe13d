import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pureTests } from "./pure-tests.ts";

/** Runs one pure test with this body; returns the exit code of the run and what it prints. */
function run(body: string): { readonly status: number | null; readonly stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), "weft-pure-guard-"));
  const file = join(folder, "planted.test.mjs");
  writeFileSync(file, `import { it } from "node:test";\nit("does it", async () => {\n${body}\n});\n`);
  // While coverage is measured, there is no limit on CPU, and Node would pass that on.
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_V8_COVERAGE: "" };
  delete env["NODE_TEST_CONTEXT"]; // Otherwise Node treats the run as a part of this one.
  try {
    return spawnSync(process.execPath, [...pureTests("dot"), file], { cwd: folder, env, encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const swallowed = (module: string, call: string) =>
  `const m = await import("${module}"); try { await m.${call}; } catch {}`;

describe("the guard of the pure tests", () => {
  for (const [what, body, expected] of [
    ["a process", swallowed("node:child_process", 'spawn("true")'), /planted\.test\.mjs starts a process/],
    ["a process that it waits for", swallowed("node:child_process", 'execFileSync("true")'), /starts a process/],
    ["a thread", `${swallowed("node:worker_threads", "Worker.name")} try { new m.Worker("x"); } catch {}`, /a worker/],
    ["a port", swallowed("node:net", "createServer().listen(0)"), /opens a port/],
    ["a connection", 'await fetch("http://127.0.0.1:10001/").catch(() => {});', /connects to a port/],
    ["a file elsewhere", swallowed("node:fs/promises", 'writeFile("/nowhere", "")'), /changes \/nowhere/],
    ["a stream to elsewhere", swallowed("node:fs", 'openSync("/nowhere", "w")'), /changes \/nowhere/],
    ["much CPU", "while (process.threadCpuUsage().user < 1.5e6);", /planted\.test\.mjs used \d\.\d s of CPU/],
  ] as const)
    it(`fails a run that uses ${what}, even if the test passes`, () => {
      const { status, stderr } = run(body);
      assert.match(stderr, expected);
      assert.equal(status, 1);
    });

  it("allows files and links in the folder for temporary files", () => {
    const { status, stderr } = run(
      'const fs = await import("node:fs"); const { tmpdir } = await import("node:os");\n' +
        'const folder = fs.mkdtempSync(`${tmpdir()}/a-`); fs.symlinkSync("/etc", `${folder}/link`);\n' +
        "fs.writeFileSync(`${folder}/file`, String(1)); fs.rmSync(folder, { recursive: true });",
    );
    assert.deepEqual([status, stderr], [0, ""]);
  });
});
