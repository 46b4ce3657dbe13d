import assert from "node:assert/strict";
import { readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { restoreLinks } from "./restore-links.ts";

const root = temporaryFolder();
const out = join(root, "out");
writeFiles(out, { a: "", "sub/": "" });

const places = new Map([
  ["/weft/out/a", `${out}/a`],
  ["/weft/out/sub/../a", `${out}/a`],
  ["/weft/in/0/x", "/data/x"],
]);
const cases: readonly [name: string, meant: string, expected: string][] = [
  ["absolute", "/weft/out/a", `${out}/a`],
  ["input", "/weft/in/0/x", "/data/x"],
  ["relative", "a", "a"],
  ["leaving", "../in/0/x", "/data/x"],
  ["sub/up", "../a", "../a"],
  ["sub/leaving", "../../in/0/x", "/data/x"],
  ["image", "/etc/passwd", "/etc/passwd"],
];
for (const [name, meant] of cases) await symlink(meant, join(out, name));

describe("restoreLinks", async () => {
  await restoreLinks(out, "/weft/out", (path) => places.get(path));
  for (const [name, meant, expected] of cases)
    it(`makes ${name} -> ${meant} lead to ${expected.replace(root, "")}`, async () =>
      assert.equal(await readlink(join(out, name)), expected));
});
