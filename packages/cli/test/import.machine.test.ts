import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { Run } from "@weft/shared/records/run-record.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = await mkdtemp(join(tmpdir(), "weft-import-cli-"));
after(() => rm(root, { recursive: true }));
const TOOL = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  baseCommand: "cat",
  inputs: { text: { type: "File", inputBinding: { position: 1 } } },
  outputs: { copy: "stdout" },
  stdout: "copy.txt",
};
await writeFile(join(root, "copy.cwl"), JSON.stringify(TOOL));

/** A crate of `weft run`, whose outputs and inputs were anywhere on the machine. */
async function makeCrate(name: string): Promise<string> {
  const crate = join(root, name);
  await writeFile(join(root, `${name}.txt`), `${name}\n`);
  const inputs = join(root, `${name}.json`);
  await writeFile(inputs, JSON.stringify({ text: { class: "File", location: `${name}.txt` } }));
  const args = [
    "--quiet",
    "--outdir",
    join(root, `${name}-out`),
    "--provenance",
    crate,
    join(root, "copy.cwl"),
    inputs,
  ];
  const { code, stderr } = await weft(["run", ...args]);
  assert.equal(code, 0, stderr);
  return crate;
}

describe("weft import", () => {
  it("imports a crate without a server, and verify then finds no changes", async () => {
    const state = join(root, "alone");
    const { code, stdout, stderr } = await weft(["import", "--state", state, await makeCrate("one")]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^[0-9a-f-]{36}\n$/);
    const verified = await weft(["verify", state]);
    assert.equal(verified.code, 0, verified.stdout);
    assert.match(verified.stdout, /1 events, .* 3 files: nothing was changed/);
  });

  it("lets the server that uses the folder import a crate, and the server can show and reproduce the run", async () => {
    const state = join(root, "served");
    const server = await serve(["--state", state, "--catalog", root]);
    const { code, stdout, stderr } = await weft(["import", "--state", state, await makeCrate("two")]);
    assert.equal(code, 0, stderr);
    const address = `${server.address}/api/runs/${stdout.trim()}`;
    const run = (await (await fetch(address)).json()) as Run;
    assert.equal(run.imported?.made_by, "local");
    const { copy } = run.outputs as { copy: { location: string } };
    assert.equal(await (await fetch(copy.location)).text(), "two\n");
    const again = await fetch(`${address}/reproduce`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    assert.equal(again.status, 201);
  });

  it("exits with 1 for a changed crate, naming the file, and for files that are not crates", async () => {
    const crate = await makeCrate("three");
    await appendFile(join(crate, "outputs/copy.txt"), "!");
    const changed = await weft(["import", "--state", join(root, "refusing"), crate]);
    assert.equal(changed.code, 1);
    assert.match(changed.stderr, /The crate has been changed since it was made: file outputs\/copy\.txt: its content/);
    const none = await weft(["import", "--state", join(root, "refusing"), join(root, "copy.cwl")]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /This is not a valid or complete zip file: .*not a zip file, or file is truncated\.$/m);
    assert.equal((await weft(["import", join(root, "nothing")])).code, 2);
  });
});
