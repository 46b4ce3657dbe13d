import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

it("the clients have the version of the server", () => {
  const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
  const versionIn = (path: string, pattern: RegExp) => pattern.exec(read(path))?.[1];
  const { version } = JSON.parse(read("packages/cli/package.json")) as { version: string }; // a file of the repository
  assert.deepEqual(
    [
      versionIn("clients/python/pyproject.toml", /^version = "(.*)"$/m),
      versionIn("clients/python/src/weft_client/__init__.py", /^__version__ = "(.*)"$/m),
      versionIn("clients/typescript/package.json", /^ {2}"version": "(.*)"/m),
    ],
    [version, version, version],
  );
});
