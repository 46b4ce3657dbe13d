// Runs test files in one process, which loads the sources once. A file starts when the previous one has ended, including its
// hooks, because a separate test contains the tests and hooks of each file. Node's `--test-isolation=none` would start with all hooks.
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { removeTemporaryFolders } from "@weft/shared/testing/temporary-folder.ts";

/** Longer than any run of the suite. The usual limit applies to each test in a file. */
const HOUR_MS = 3_600_000;
const env = { ...process.env };
const umask = process.umask();

for (const file of process.env["WEFT_TEST_FILES"]?.split("\n") ?? [])
  test(file, { timeout: HOUR_MS }, async (t) => {
    removeTemporaryFolders(); // of the file before, whose hooks have run
    t.after(restore);
    await import(pathToFileURL(resolve(file)).href);
  });

/** Undoes changes that one file leaves behind and the next must not see. */
function restore(): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.umask(umask);
}
