import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "./install.mjs";
import { releaseNotes } from "./release/release-notes.mjs";

const MANIFESTS = ["package.json", "packages/*/package.json", "clients/*/package.json", "editors/*/package*.json"];

describe("all packages", () => {
  const [, newest] = /^## (\d+\.\d+\.\d+)$/m.exec(releaseNotes()) ?? [];

  for (const path of globSync(MANIFESTS, { cwd: ROOT })) {
    it(`have the version of the newest section of the changelog: ${path}`, () => {
      const { version } = JSON.parse(readFileSync(join(ROOT, path), "utf8")) as { version: string }; // npm reads it, too
      assert.equal(version, newest);
    });
  }

  const mentions = [
    ["clients/python/pyproject.toml", 'version = "VERSION"'],
    ["clients/python/src/weft_client/__init__.py", '__version__ = "VERSION"'],
    ["editors/vscode/README.md", "weft-cwl-VERSION.vsix"],
  ] as const;
  for (const [path, mention] of mentions)
    it(`have the version that ${path} mentions`, () =>
      assert.ok(readFileSync(join(ROOT, path), "utf8").includes(mention.replace("VERSION", String(newest)))));
});
