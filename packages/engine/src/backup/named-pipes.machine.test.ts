import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { verifyCrate } from "../provenance/verify/verify-crate.ts";
import { VerifyRefused } from "../provenance/verify/finding.ts";
import { verifyState } from "../provenance/verify/verify-state.ts";
import { BackupRefused, MANIFEST } from "./backup-entry.ts";
import { restoreState } from "./restore-state.ts";
import { columns } from "../testing/columns.ts";

const root = temporaryFolder();

async function folderWith(name: string, ...pipes: readonly string[]): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  for (const pipe of pipes) execFileSync("mkfifo", [join(folder, pipe)]);
  return folder;
}

describe("a named pipe without a writer", () => {
  it("is refused in place of a backup's manifest", async () => {
    await assert.rejects(restoreState(await folderWith("manifest", MANIFEST), join(root, "a")), BackupRefused);
  });

  it("is refused in place of a backup's log", async () => {
    const backup = await folderWith("log", "weft.db");
    const entries = [
      { kind: "backup", format: 1, version: "1", created: "2026-11-21T02:02:14Z", last_seq: 0, with_files: true },
      { kind: "file", path: "weft.db", size: 0, sha256: "", mode: 0o600 },
    ];
    await writeFile(join(backup, MANIFEST), entries.map((entry) => JSON.stringify(entry)).join("\n"));
    await assert.rejects(restoreState(backup, join(root, "b")), BackupRefused);
  });

  it("is refused in place of the log to verify", async () => {
    const state = { stateFolder: await folderWith("state", "weft.db"), dataFolders: {}, expected: undefined };
    await assert.rejects(verifyState({ ...state, withFiles: true }), VerifyRefused);
  });

  it("is reported as missing in a crate", async () => {
    const crate = await folderWith("crate", "data.txt");
    const file = { "@id": "data.txt", "@type": "File", sha256: "0" };
    await writeFile(join(crate, "ro-crate-metadata.json"), JSON.stringify({ "@graph": [file] }));
    const { findings } = await verifyCrate(crate);
    assert.deepEqual(columns(findings, "kind", "subject"), [["file-missing", "file data.txt"]]);
  });
});
