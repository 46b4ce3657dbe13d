import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { commitPaths } from "../src/drafts/git-commit.ts";
import { caller } from "../src/testing/drive-runs.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { openEngineOn } from "../src/testing/serve-files.ts";
import type { Engine } from "../src/port/engine.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool # a comment
baseCommand: echo
inputs: {word: {type: string, inputBinding: {}}}
outputs: {said: stdout}
`;
const FILES = { "catalog/tools/say/1.0.0/say.cwl": TOOL, "catalog/tools/say/1.0.0/notes.txt": "notes" };

describe("a commit", () => {
  const git = (folder: string, ...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });

  async function publish(engine: Engine) {
    const { draft_id: id } = await draftsOf(engine).create(caller, { kind: "tool", id: "say", based_on: "1.0.0" });
    return draftsOf(engine).publish(caller, id, { revision: 1, version: "1.1.0" });
  }
  const WHAT = { versions: [{ kind: "tool", id: "say", version: "1.1.0" } as const] };

  it("contains only the published version and its author, even if other changes are staged", async () => {
    const { engine, root } = await openEngineOn(FILES, { commitPublished: true });
    const catalog = join(root, "catalog");
    git(catalog, "init", "-q");
    writeFiles(catalog, { "tools/other.txt": "staged" });
    git(catalog, "add", "tools/other.txt");
    // The repository's own hooks and identity do not matter.
    writeFiles(catalog, { ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n" });
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

  it("is refused if it is not allowed, with the message of git", async () => {
    const off = await openEngineOn(FILES, { commitPublished: false });
    assert.equal((await publish(off.engine)).can_commit, false);
    await assert.rejects(draftsOf(off.engine).commit(caller, WHAT), Refusal);
    const { engine, root } = await openEngineOn(FILES, { commitPublished: true });
    assert.equal((await publish(engine)).can_commit, false);
    const result = await draftsOf(engine).commit(caller, WHAT);
    assert.deepEqual([result.state, result.commit], ["failed", null]);
    assert.match(result.output, /not a git repository/i);
    const old = { versions: [{ kind: "tool", id: "say", version: "1.0.0" } as const] };
    await assert.rejects(draftsOf(engine).commit(caller, old), Refusal);
    assert.equal(await readFile(join(root, "catalog/tools/say/1.1.0/say.cwl"), "utf8"), TOOL);
  });

  it("fails with an explanation if git is missing", async (t) => {
    const path = process.env["PATH"];
    process.env["PATH"] = "/nowhere";
    t.after(() => void (process.env["PATH"] = path));
    const result = await commitPaths({ folder: tmpdir(), paths: ["a"], message: "x", author: "ann" });
    assert.deepEqual(result, { state: "failed", output: "git is not installed on the server." });
  });
});
