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

const isNoTest = (path: string) => !path.endsWith(".test.ts");

/** A copy of the sources of the server and the command line, without tests. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), "weft-features-"));
  mkdirSync(join(copy, "node_modules/@weft"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@weft") symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  for (const name of PACKAGES) {
    const from = join(root, "packages", name);
    const to = join(copy, "packages", name);
    cpSync(join(from, "src"), join(to, "src"), { recursive: true, filter: isNoTest });
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

/** The declarations of commands without the line that loads this one. */
function withoutCommand(command: string, declarations: string): string {
  return declarations.replace(new RegExp(`^.*/${command}-command\\.ts.*\n`, "m"), "");
}

const FEATURES = "packages/engine/src/app/features.ts";
const COMMANDS = "packages/cli/src/declarations/state-declarations.ts";

describe("a feature that is a folder, its entry in the list of features and its commands", () => {
  const copy = copySources();
  after(() => rmSync(copy, { recursive: true }));
  const restore = (path: string) => cpSync(join(root, path), join(copy, path), { recursive: true, filter: isNoTest });
  const change = (path: string, changed: (text: string) => string) =>
    writeFileSync(join(copy, path), changed(readFileSync(join(copy, path), "utf8")));

  for (const [feature, commands] of Object.entries(SEPARATE_FEATURES))
    it(`can be deleted, and everything else compiles: ${feature}`, async () => {
      const removed = [
        `packages/engine/src/${feature}`,
        ...commands.map((command) => `packages/cli/src/commands/${command}-command.ts`),
      ];
      for (const path of removed) rmSync(join(copy, path), { recursive: true });
      assert.notEqual(await compile(copy), "", "something imports the folder");
      change(FEATURES, (list) => without(feature, list));
      for (const command of commands) change(COMMANDS, (declarations) => withoutCommand(command, declarations));
      assert.equal(await compile(copy), "");
      for (const path of [FEATURES, COMMANDS, ...removed]) restore(path);
    });
});
