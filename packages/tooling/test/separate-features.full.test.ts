import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { SEPARATE_FEATURES } from "../layers.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const PACKAGES = ["shared", "cwl", "language", "engine", "api", "cli"];

/** A copy of the sources of the server and the command line, without tests. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), "weft-features-"));
  mkdirSync(join(copy, "node_modules/@weft"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@weft") symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  for (const name of PACKAGES) {
    const from = join(root, "packages", name);
    const to = join(copy, "packages", name);
    cpSync(join(from, "src"), join(to, "src"), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
    cpSync(join(from, "package.json"), join(to, "package.json"));
    symlinkSync(to, join(copy, "node_modules/@weft", name));
  }
  cpSync(join(root, "tsconfig.base.json"), join(copy, "tsconfig.base.json"));
  const include = PACKAGES.map((name) => `packages/${name}/src`);
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ extends: "./tsconfig.base.json", include }));
  return copy;
}

/** The output of the compiler; empty if everything compiles. */
function compile(copy: string): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", copy, "--incremental", "--tsBuildInfoFile", join(copy, "tsbuildinfo")];
  return new Promise((resolve) => execFile(process.execPath, args, (_, stdout) => resolve(stdout)));
}

/** The list of features without one: its imports, and its entry. */
function without(feature: string, list: string): string {
  const imported = new RegExp(`^import .*"\\.\\./${feature}/.*\n`, "gm");
  return list
    .replaceAll(imported, "")
    .replaceAll(/^ {2}\{(?: .*\},|\n(?: {4}.*\n)+? {2}\},)\n/gm, (entry) =>
      entry.includes(`"../${feature}/`) ? "" : entry,
    );
}

describe("a feature that is a folder and an entry in the list of features", () => {
  const copy = copySources();
  after(() => rmSync(copy, { recursive: true }));
  const listPath = join(copy, "packages/engine/src/app/features.ts");
  const list = readFileSync(listPath, "utf8");

  for (const feature of SEPARATE_FEATURES)
    it(`can be deleted, and everything else compiles: ${feature}`, async () => {
      const folder = join(copy, "packages/engine/src", feature);
      rmSync(folder, { recursive: true });
      assert.notEqual(await compile(copy), "", "the list of features imports the folder");
      const shorter = without(feature, list);
      assert.ok(shorter.split("\n").length < list.split("\n").length);
      writeFileSync(listPath, shorter);
      assert.equal(await compile(copy), "");
      writeFileSync(listPath, list);
      cpSync(join(root, "packages/engine/src", feature), folder, { recursive: true });
    });
});
