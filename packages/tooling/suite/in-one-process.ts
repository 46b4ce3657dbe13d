// Runs test files in one process, which loads the sources once. A file begins when the one before it has ended, hooks included:
// its tests and hooks belong to a test of its own. The option `--test-isolation=none` of Node would begin with the hooks of all.
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

/** Longer than any run of the suite: the limit counts for the tests of a file, one by one. */
const HOUR_MS = 3_600_000;
const env = { ...process.env };
const umask = process.umask();

for (const file of process.env["WEFT_TEST_FILES"]?.split("\n") ?? [])
  test(file, { timeout: HOUR_MS }, async (t) => {
    t.after(restore);
    await import(pathToFileURL(resolve(file)).href);
  });

/** State that one file leaves behind and the next must not see. */
function restore(): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.umask(umask);
}
