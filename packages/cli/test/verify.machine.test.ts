import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = await mkdtemp(join(tmpdir(), "weft-verify-cli-"));
after(() => rm(root, { recursive: true }));
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
const document = join(root, "copy.cwl");
await writeFile(document, JSON.stringify(TOOL));
await writeFile(join(root, "text.txt"), "some text\n");
const inputs = async (code: number) => {
  const path = join(root, `inputs-${code}.json`);
  await writeFile(path, JSON.stringify({ text: { class: "File", location: "text.txt" }, code }));
  return path;
};
const run = async (name: string, code = 0) => {
  const crate = join(root, name);
  const outdir = join(root, `${name}-out`);
  const args = ["run", "--quiet", "--outdir", outdir, "--provenance", crate, document, await inputs(code)];
  return { crate, ...(await weft(args)) };
};

describe("weft run --provenance", () => {
  it("writes a crate in which verify finds nothing", async () => {
    const { crate, code, stdout } = await run("good");
    assert.equal(code, 0);
    assert.ok(stdout.includes("copy.txt"));
    assert.equal(await readFile(join(crate, "outputs/copy.txt"), "utf8"), "some text\n");
    assert.equal(await readFile(join(crate, "inputs/text/text.txt"), "utf8"), "some text\n");
    const verified = await weft(["verify", crate]);
    assert.equal(verified.code, 0);
    assert.match(verified.stdout, /: nothing was changed\nro-crate-metadata\.json sha256 [0-9a-f]{64}\n$/);
  });

  it("writes a crate of a failed run, and exits as the run did", async () => {
    const { crate, code } = await run("failed", 3);
    assert.equal(code, 1);
    assert.match(await readFile(join(crate, "README.md"), "utf8"), /It failed\./);
    assert.equal((await weft(["verify", crate])).code, 0);
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
    const first = await weft(["verify", state]);
    assert.equal(first.code, 0);
    const [, head] = /^head (\d+:[0-9a-f]{64})$/m.exec(first.stdout) ?? [];
    await server.stop("SIGTERM");
    assert.equal((await weft(["verify", "--head", head ?? "", state])).code, 0);
    const other = `${head?.split(":")[0]}:${"0".repeat(64)}`;
    const second = await weft(["verify", "--state", state, "--head", other]);
    assert.equal(second.code, 1);
    assert.match(second.stdout, /is not the one whose hash was noted/);
  });

  it("explains what it cannot verify", async () => {
    const nothing = await weft(["verify", join(root, "nothing")]);
    assert.deepEqual([nothing.code, nothing.stderr.includes("there is no Weft state folder")], [1, true]);
    const damaged = join(root, "damaged");
    await mkdir(damaged);
    await writeFile(join(damaged, "weft.db"), "this is no database, though it is long enough to be one".repeat(100));
    const unreadable = await weft(["verify", damaged]);
    assert.deepEqual([unreadable.code, unreadable.stderr], [1, "weft: file is not a database\n"]);
    const head = await weft(["verify", "--head", "12", root]);
    assert.deepEqual([head.code, head.stderr.includes("--head must be NUMBER:HASH")], [2, true]);
    assert.equal((await weft(["verify", root, root])).code, 2);
  });
});
