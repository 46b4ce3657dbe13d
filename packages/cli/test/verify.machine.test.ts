import assert from "node:assert/strict";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const TOOL = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  baseCommand: ["sh", "-c", 'cat "$1"; exit "$2"', "copy"],
  inputs: {
    text: { type: "File", inputBinding: { position: 1 } },
    code: { type: "int", default: 0, inputBinding: { position: 2 } },
  },
  outputs: { copy: "stdout" },
  stdout: "copy.txt",
};
const root = temporaryFolder({ "copy.cwl": JSON.stringify(TOOL), "text.txt": "some text\n" });
const run = async (name: string, code = 0) => {
  const crate = join(root, name);
  const flags = ["--quiet", "--outdir", join(root, `${name}-out`), "--provenance", crate];
  const inputs = ["--text", join(root, "text.txt"), "--code", String(code)];
  return { crate, ...(await weft(["run", ...flags, join(root, "copy.cwl"), ...inputs])) };
};

describe("weft run --provenance", () => {
  it("writes a crate in which verify finds nothing", async () => {
    const { crate, code, stdout } = await run("good");
    assert.equal(code, 0);
    assert.ok(stdout.includes("copy.txt"));
    assert.equal(await readFile(join(crate, "outputs/copy.txt"), "utf8"), "some text\n");
    assert.equal(await readFile(join(crate, "inputs/text/text.txt"), "utf8"), "some text\n");
    const verified = await expectSuccess(["verify", crate]);
    assert.match(verified.stdout, /: nothing was changed\nro-crate-metadata\.json sha256 [0-9a-f]{64}\n$/);
  });

  it("writes a crate of a failed run, and exits as the run did", async () => {
    const { crate, code } = await run("failed", 3);
    assert.equal(code, 1);
    assert.match(await readFile(join(crate, "README.md"), "utf8"), /It failed\./);
    await expectSuccess(["verify", crate]);
  });

  it("warns if it cannot be written, and the run still succeeds", async () => {
    await writeFile(join(root, "taken"), "");
    const { code, stdout, stderr } = await run("taken");
    assert.equal(code, 0);
    assert.ok(stdout.includes("copy.txt"));
    assert.match(stderr, /warning: the provenance could not be written to .*taken/);
  });
});

describe("weft verify", () => {
  it("exits with 1 and names the changed files of a crate", async () => {
    const { crate } = await run("changed");
    await appendFile(join(crate, "outputs/copy.txt"), "more");
    const { code, stdout } = await weft(["verify", crate]);
    assert.equal(code, 1);
    assert.match(stdout, /^file outputs\/copy\.txt: its content differs from its entry in ro-crate-metadata\.json/);
  });

  it("verifies the state folder of a running server, and its head afterwards", async () => {
    const state = join(root, "state");
    const server = await serve(["--state", state]);
    const first = await expectSuccess(["verify", state]);
    const [, head] = /^head (\d+:[0-9a-f]{64})$/m.exec(first.stdout) ?? [];
    await server.stop("SIGTERM");
    await expectSuccess(["verify", "--head", head ?? "", state]);
    const other = `${head?.split(":")[0]}:${"0".repeat(64)}`;
    const second = await weft(["verify", "--state", state, "--head", other]);
    assert.equal(second.code, 1);
    assert.match(second.stdout, /is not the one whose hash was noted/);
  });

  it("explains what it cannot verify", async () => {
    await expectExit(["verify", join(root, "nothing")], 1, /there is no Weft state folder/);
    const text = "this is no database, though it is long enough to be one".repeat(100);
    writeFiles(root, { "damaged/weft.db": text });
    await expectExit(["verify", join(root, "damaged")], 1, /^weft: file is not a database\n$/);
    await expectExit(["verify", "--head", "12", root], 2, /--head must be NUMBER:HASH/);
    assert.equal((await weft(["verify", root, root])).code, 2);
  });
});
