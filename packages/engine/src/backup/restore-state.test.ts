import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { openForWriting } from "../journal/open-database.ts";
import { BackupRefused, MANIFEST } from "./backup-entry.ts";
import { restoreState } from "./restore-state.ts";

const root = temporaryFolder();
const outside = join(root, "outside");
await mkdir(outside);
let count = 0;

const sha256 = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");
const header = {
  kind: "backup",
  format: 1,
  version: "1",
  created: "2026-11-21T02:02:14Z",
  last_seq: 0,
  with_files: true,
};

/** A file of a backup, with its content. */
interface Content {
  readonly path: string;
  readonly text: string;
}

/** Writes a backup with a log and further entries; some have a file. */
async function backupOf(entries: readonly object[], contents: readonly Content[] = []): Promise<string> {
  const folder = join(root, `backup-${++count}`);
  await mkdir(folder);
  openForWriting(join(folder, "weft.db"), "fast").close();
  const log = await readFile(join(folder, "weft.db"));
  const files = [{ kind: "file", path: "weft.db", size: log.length, sha256: sha256(log), mode: 0o600 }];
  for (const { path, text } of contents) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const all = [header, ...files, ...entries];
  const lines = [...all, { kind: "end", entries: all.length }].map((entry) => JSON.stringify(entry));
  await writeFile(join(folder, MANIFEST), lines.join("\n"));
  return folder;
}

const fileEntry = ({ path, text }: Content, mode = 0o600) => ({
  kind: "file",
  path,
  size: text.length,
  sha256: sha256(text),
  mode,
});
const linkTo = (path: string, target: string, within = false) => ({ kind: "link", path, target, within });

async function refused(backup: string): Promise<void> {
  const state = join(root, `state-${count}`);
  await assert.rejects(restoreState(backup, state), BackupRefused);
  assert.equal(existsSync(state), false);
  assert.equal(existsSync(`${state}.partial`), false);
  assert.deepEqual(await readdir(outside), []);
}

describe("restoreState", () => {
  it("restores files, and links of jobs to anywhere", async () => {
    const output = { path: "runs/r/outputs/a.txt", text: "a" };
    const links = [
      linkTo("runs/r/jobs/j@1/link", outside),
      linkTo("runs/r/jobs/j@1/own", "runs/r/outputs/a.txt", true),
    ];
    const backup = await backupOf([fileEntry(output, 0o640), ...links], [output]);
    const state = join(root, "state");
    assert.equal((await restoreState(backup, state)).files, 2);
    assert.equal((await stat(join(state, "runs/r/jobs/j@1/own"))).mode & 0o777, 0o640);
  });

  const attack = { path: "runs/r/outputs/x/evil", text: "evil" };
  const attacks: readonly (readonly [name: string, entries: readonly object[]])[] = [
    ["a file behind a link", [linkTo("runs/r/outputs/x", outside), fileEntry(attack)]],
    ["a file behind a link that comes later", [fileEntry(attack), linkTo("runs/r/outputs/x", outside)]],
    ["a link behind a link", [linkTo("runs/r/outputs/x", outside), linkTo("runs/r/outputs/x/y", "/etc/passwd")]],
    ["a folder behind a link", [linkTo("runs/r/outputs/x", outside), { kind: "folder", path: "runs/r/outputs/x/y" }]],
    [
      "a hard link through a link",
      [linkTo("runs/r/outputs/x", outside), { kind: "same", path: "runs/r/outputs/z", as: "runs/r/outputs/x/evil" }],
    ],
    ["a link in place of the access token", [linkTo("access-token", join(outside, "token"))]],
    ["a link in place of the tokens", [linkTo("tokens", outside)]],
    ["a link in place of a run", [linkTo("runs/r", outside)]],
    ["a link in place of all outputs of a run", [linkTo("runs/r/outputs", outside)]],
    ["a link in place of the drafts", [linkTo("drafts", outside)]],
    ["a file that no backup contains", [fileEntry({ path: "access-token", text: "evil" })]],
    ["a path that leaves the folder", [fileEntry({ path: "runs/../../outside/evil", text: "evil" })]],
    ["an absolute path", [fileEntry({ path: join(outside, "evil"), text: "evil" })]],
    ["a path with a null byte", [fileEntry({ path: "runs/r/outputs/a\0b", text: "evil" })]],
    ["a file with the set-user-ID bit", [fileEntry(attack, 0o4755)]],
    ["a target that is not a string", [{ kind: "link", path: "runs/r/outputs/l", target: 7, within: false }]],
  ];
  for (const [name, entries] of attacks) it(`refuses ${name}`, async () => refused(await backupOf(entries, [attack])));

  it("refuses a manifest that is a link", async () => {
    const backup = await backupOf([]);
    const linked = join(root, "linked");
    await mkdir(linked);
    await symlink(join(backup, MANIFEST), join(linked, MANIFEST));
    await refused(linked);
  });

  it("refuses a link in place of a file of the backup", async () => {
    const secret = join(root, "secret");
    await writeFile(secret, "secret");
    await chmod(secret, 0o600);
    const backup = await backupOf([fileEntry({ path: "uploads/u", text: "secret" })]);
    await mkdir(join(backup, "uploads"));
    await symlink(secret, join(backup, "uploads/u"));
    await refused(backup);
  });
});
