import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";

const FOLDER = new URL("../../../editors/vscode/", import.meta.url);
const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, FOLDER), "utf8"));

/** All values of a key, at any depth. */
function valuesOf(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesOf(inner, key)]);
}

describe("the extension for VS Code", () => {
  it("names only files that exist", () => {
    const manifest = json("package.json");
    const paths = ["path", "configuration", "main"].flatMap((key) => valuesOf(manifest, key));
    const files = paths.filter((path) => typeof path === "string" && path.startsWith("./"));
    assert.equal(files.length, 4);
    for (const path of files) assert.ok(existsSync(new URL(String(path), FOLDER)), String(path));
  });

  it("registers every command that it declares", () => {
    const source = readFileSync(new URL("extension.cjs", FOLDER), "utf8");
    const commands = new Set(
      valuesOf(json("package.json"), "command").filter((command) => typeof command === "string"),
    );
    assert.equal(commands.size, 3);
    for (const command of commands) assert.ok(source.includes(`registerCommand("${command}"`), command);
  });

  it("has patterns that are regular expressions", () => {
    const grammar = json("syntaxes/cwl.tmLanguage.json");
    const patterns = ["match", "begin", "end"].flatMap((key) => valuesOf(grammar, key));
    assert.ok(patterns.length > 10);
    for (const pattern of patterns) assert.doesNotThrow(() => new RegExp(String(pattern)), String(pattern));
  });

  for (const name of ["Tool", "Network", "Expression tool"])
    it(`has a snippet for a sound document: ${name}`, async () => {
      const snippets = new Map(Object.entries(json("snippets/cwl.json") ?? {}));
      const body = valuesOf(snippets.get(name), "body").flat().join("\n");
      const text = body.replaceAll(/(?<!\\)\$\{\d+:([^}]*)\}/g, "$1").replaceAll("\\$", "$");
      const uri = "file:///w/a.cwl";
      const { diagnostics } = await loadDocument(uri, { reader: memoryDocumentReader({ [uri]: text }) });
      assert.deepEqual(diagnostics, [], text);
    });
});
