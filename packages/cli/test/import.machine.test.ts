import assert from "node:assert/strict";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createClient } from "@weft/shared/routes/client.ts";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const TOOL = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  baseCommand: "cat",
  inputs: { text: { type: "File", inputBinding: { position: 1 } } },
  outputs: { copy: "stdout" },
  stdout: "copy.txt",
};
const root = temporaryFolder({ "copy.cwl": JSON.stringify(TOOL) });

/** A crate of `weft run`, whose outputs and inputs were anywhere on the machine. */
async function makeCrate(name: string): Promise<string> {
  const crate = join(root, name);
  writeFiles(root, { [`${name}.txt`]: `${name}\n` });
  const flags = ["--quiet", "--outdir", join(root, `${name}-out`), "--provenance", crate];
  await expectSuccess(["run", ...flags, join(root, "copy.cwl"), "--text", join(root, `${name}.txt`)]);
  return crate;
}

describe("weft import", () => {
  it("imports a crate without a server, and verify then finds no changes", async () => {
    const state = join(root, "alone");
    const { stdout } = await expectSuccess(["import", "--state", state, await makeCrate("one")]);
    assert.match(stdout, /^[0-9a-f-]{36}\n$/);
    assert.match((await expectSuccess(["verify", state])).stdout, /1 event, .* 3 files: nothing was changed/);
  });

  it("lets the server that uses the folder import a crate, and the server can show and reproduce the run", async () => {
    const state = join(root, "served");
    const client = createClient((await serve(["--state", state, "--catalog", root])).address);
    const { stdout } = await expectSuccess(["import", "--state", state, await makeCrate("two")]);
    const params = { run_id: stdout.trim() };
    const run = await client("GET /api/runs/{run_id}", { params });
    assert.equal(run.imported?.made_by, "local");
    const { copy } = run.outputs as { copy: { location: string } }; // TOOL declares it
    assert.equal(await (await fetch(copy.location)).text(), "two\n");
    await client("POST /api/runs/{run_id}/reproduce", { params, body: {} });
  });

  it("exits with 1 for a changed crate, naming the file, and for files that are not crates", async () => {
    const crate = await makeCrate("three");
    await appendFile(join(crate, "outputs/copy.txt"), "!");
    const command = ["import", "--state", join(root, "refusing")];
    const changed = /The crate has been changed since it was made: file outputs\/copy\.txt: its content/;
    await expectExit([...command, crate], 1, changed);
    const noZip = /This is not a valid or complete zip file: .*not a zip file, or file is truncated\.$/m;
    await expectExit([...command, join(root, "copy.cwl")], 1, noZip);
    assert.equal((await weft(["import", join(root, "nothing")])).code, 2);
  });
});
