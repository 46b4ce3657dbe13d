import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { commitPaths } from "../src/drafts/git-commit.ts";
import { caller } from "../src/testing/drive-runs.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool # a comment
baseCommand: echo
inputs: {word: {type: string, inputBinding: {}}}
outputs: {said: stdout}
`;
async function start(t: TestContext, commitPublished = true) {
  const root = await mkdtemp(join(tmpdir(), "weft-commit-"));
  const catalog = join(root, "catalog");
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(catalog, path)), { recursive: true });
    await writeFile(join(catalog, path), text);
  };
  await write("tools/say/1.0.0/say.cwl", TOOL);
  await write("tools/say/1.0.0/notes.txt", "notes");
  const engine = await openTestEngine(root, { commitPublished });
  t.after(async () => {
    await engine.stop("cancel");
    await rm(root, { recursive: true });
  });
  return { engine, catalog, write };
}

describe("a commit", () => {
  const git = (folder: string, ...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });

  async function publish(engine: Awaited<ReturnType<typeof start>>["engine"]) {
    const { draft_id: id } = await draftsOf(engine).create(caller, { kind: "tool", id: "say", based_on: "1.0.0" });
    return draftsOf(engine).publish(caller, id, { revision: 1, version: "1.1.0" });
  }
  const WHAT = { versions: [{ kind: "tool", id: "say", version: "1.1.0" } as const] };

  it("contains only the published version and its author, even if other changes are staged", async (t) => {
    const { engine, catalog, write } = await start(t);
    git(catalog, "init", "-q");
    await write("tools/other.txt", "staged");
    git(catalog, "add", "tools/other.txt");
    // The repository's own hooks and identity do not matter.
    await write("../catalog/.git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
    const published = await publish(engine);
    assert.equal(published.can_commit, true);
    const result = await draftsOf(engine).commit({ ...caller, principal: "Ann <x>\nEvil" }, WHAT);
    assert.deepEqual([result.state, result.paths], ["committed", ["tools/say/1.1.0"]], result.output);
    const files = git(catalog, "show", "--name-only", "--format=%an", "HEAD").trim().split("\n").filter(Boolean);
    assert.match(files[0] ?? "", /^Ann\s+x\s+Evil$/);
    assert.ok(
      files.slice(1).every((file) => file.startsWith("tools/say/1.1.0/")),
      files.join(" "),
    );
    assert.equal(git(catalog, "diff", "--cached", "--name-only").trim(), "tools/other.txt");
    assert.equal((await draftsOf(engine).commit(caller, WHAT)).state, "unchanged");
  });

  it("is refused if it is not allowed, with the message of git", async (t) => {
    const off = await start(t, false);
    assert.equal((await publish(off.engine)).can_commit, false);
    await assert.rejects(draftsOf(off.engine).commit(caller, WHAT), Refusal);
    const { engine, catalog } = await start(t);
    assert.equal((await publish(engine)).can_commit, false);
    const result = await draftsOf(engine).commit(caller, WHAT);
    assert.deepEqual([result.state, result.commit], ["failed", null]);
    assert.match(result.output, /not a git repository/i);
    const old = { versions: [{ kind: "tool", id: "say", version: "1.0.0" } as const] };
    await assert.rejects(draftsOf(engine).commit(caller, old), Refusal);
    assert.equal(await readFile(join(catalog, "tools/say/1.1.0/say.cwl"), "utf8"), TOOL);
  });

  it("fails with an explanation if git is missing", async (t) => {
    const path = process.env["PATH"];
    process.env["PATH"] = "/nowhere";
    t.after(() => void (process.env["PATH"] = path));
    const result = await commitPaths({ folder: tmpdir(), paths: ["a"], message: "x", author: "ann" });
    assert.deepEqual(result, { state: "failed", output: "git is not installed on the server." });
  });
});
