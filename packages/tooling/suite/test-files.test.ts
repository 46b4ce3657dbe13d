import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "../install.mjs";

/** Patterns that make a test depend on how busy a machine is, or let it pass silently. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  "loops without a pause until a condition is true: subscribe, or use until() of engine/testing":
    /while \(.*setImmediate/,
  "measures time: count the work, or compare processor time in the same turn": /performance\.now\(|\bhrtime\b/,
  "has its own deadline: the limit of the test ends a wait that never succeeds":
    /\bdeadline\b.*(?:Date\.now|performance)/i,
  "is tried again after a failure": /describe\.configure\(.*retries|\{ retry: \d/,
  "skips without a reason": /\bskip: *(?:true|!?\w+|process\.\w+ [!=]== "\w+") \}|\.skip\(\)/,
};
/** Variables that hold a reason. */
const REASONS = /skip: (?:skip\w*|without\w*|lacking|cannot\w*|why\w*) \}/;

/** Files in which these patterns match something else. */
const EXCEPTIONS = new Set([
  "packages/engine/test/event-loop/event-loop.full.test.ts", // a scenario of how long turns take
]);

const files = globSync(["packages/**/*.test.ts", "packages/**/*.page.test.tsx", "packages/web/e2e/*.spec.ts"], {
  cwd: ROOT,
  exclude: ["**/node_modules/**", "**/dist/**"],
}).filter((file) => !EXCEPTIONS.has(file) && !file.endsWith("/test-files.test.ts"));

describe("no test", () => {
  for (const [what, pattern] of Object.entries(FORBIDDEN))
    it(what, () => {
      const places = files.flatMap((file) =>
        readFileSync(join(ROOT, file), "utf8")
          .split("\n")
          .flatMap((line, index) =>
            pattern.test(line) && !REASONS.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
          ),
      );
      assert.deepEqual(places, []);
    });
});
