import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { weft } from "../src/testing/run-in-process.ts";

describe("without bubblewrap", async () => {
  const root = await mkdtemp(join(tmpdir(), "weft-no-sandbox-"));
  after(() => rm(root, { recursive: true }));
  const [programs, state] = [join(root, "bin"), join(root, "state")];
  for (const folder of [programs, state]) await mkdir(folder, { mode: 0o700 });
  await symlink("/bin/sh", join(programs, "sh"));
  const document = join(root, "say.cwl");
  await writeFile(
    document,
    `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, "echo ran"]
inputs: {}
outputs: { ran: stdout }
`,
  );
  // The engine looks for programs in the PATH of its process, which runs only this file.
  process.env["PATH"] = programs;
  const run = (how: string) =>
    weft(["run", "--state", state, "--outdir", join(root, "out"), "--sandbox", how, document]);

  it("continues without a sandbox, and says why", async () => {
    const ran = await run("auto");
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stderr, /without a sandbox.*bubblewrap is not installed/);
  });

  it("exits with 78 if a sandbox is required, says what to do, and leaves nothing behind", async () => {
    const ran = await run("required");
    assert.equal(ran.code, 78, ran.stderr);
    assert.match(ran.stderr, /^weft: a sandbox is required, but bubblewrap is not installed.*sandbox\.md/m);
    assert.deepEqual(
      (await readdir(state)).filter((name) => name.startsWith("weft-run-")),
      [],
    );
  });

  it("refuses to serve if a sandbox is required", async () => {
    const served = await weft(["serve", "--port", "0", "--state", state, "--sandbox", "required"]);
    assert.equal(served.code, 78, served.stderr);
  });
});
