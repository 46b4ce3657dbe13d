import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { RunSecrets } from "./run-secrets.ts";
import { revealStaging, secretFilesOf, wipeJob } from "./wipe-job.ts";

const root = temporaryFolder();
const PLACEHOLDER = "(secret-00000000-0000-0000-0000-000000000000)";
const secrets = new RunSecrets(new Map([[PLACEHOLDER, "the secret"]]));
let count = 0;

/** The folder of an attempt with a secret at `out/conf/login`. */
async function attempt(): Promise<string> {
  const folder = join(root, `j@${++count}`);
  await mkdir(join(folder, "out/conf"), { recursive: true });
  const target = join(folder, "out/conf/login");
  const [entry] = revealStaging([{ kind: "text", text: PLACEHOLDER, target } as never], secrets, folder); // a checked path
  await writeFile(target, entry?.kind === "text" ? entry.text : "");
  await writeFile(join(folder, "launch"), "the secret");
  return folder;
}

it("removes files with secrets, and keeps outputs", async () => {
  const [wiped, kept] = [await attempt(), await attempt()];
  assert.deepEqual(
    secretFilesOf(wiped),
    ["launch", "out/conf/login"].map((path) => join(wiped, path)),
  );
  wipeJob(wiped);
  wipeJob(kept, new Set([join(kept, "out/conf/login")]));
  assert.deepEqual([existsSync(join(wiped, "out/conf/login")), existsSync(join(wiped, "launch"))], [false, false]);
  assert.equal(await readFile(join(kept, "out/conf/login"), "utf8"), "the secret");
  assert.deepEqual(secretFilesOf(wiped), []);
});

it("does not remove files behind a link that the job has created", async () => {
  const elsewhere = join(root, "elsewhere");
  writeFiles(elsewhere, { "login/file": "kept" });
  for (const [moved, target] of [
    ["out/conf", elsewhere],
    ["out", join(root, "parent")],
  ] as const) {
    await mkdir(join(root, "parent"), { recursive: true });
    await rm(join(root, "parent/conf"), { force: true });
    await symlink(elsewhere, join(root, "parent/conf"));
    const folder = await attempt();
    await rename(join(folder, moved), join(folder, "aside"));
    await symlink(target, join(folder, moved));
    wipeJob(folder);
    assert.equal(await readFile(join(elsewhere, "login/file"), "utf8"), "kept");
  }
});
