import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { Diagnostic } from "../diagnostic.ts";
import { diskReader as reader, SUITE, suiteTests, withoutSuite as skip } from "../testing/conformance-suite.ts";
import { loadDocument } from "./load-document.ts";
import { packDocument } from "./pack-document.ts";
import { parseYaml } from "./yaml/parse-yaml.ts";
import { SourceText } from "./yaml/source-text.ts";
import type { YamlNode } from "./yaml/yaml-node.ts";

/** Documents that must be refused; other tests that must fail do so when they run. */
const WRONG_DOCUMENTS = [
  "tests/params_broken_null.cwl",
  "tests/fail-unconnected.cwl",
  "tests/mixed-versions/invalid-tool-v10.cwl",
  "tests/mixed-versions/invalid-wf-v10.cwl",
];

const tools = () => [...new Set(suiteTests().map(({ tool }) => tool))];
const soundTools = () => tools().filter((name) => !WRONG_DOCUMENTS.includes(name));

const isAboutExpression = ({ code }: Diagnostic): boolean => EXPRESSION_CODES.has(code);
const EXPRESSION_CODES = new Set([
  "unclosed-expression",
  "unknown-reference",
  "contents-not-loaded",
  "javascript-needed",
  "javascript-syntax",
  "no-result",
  "unknown-name",
]);

/** A value without what packing may change: positions, and names derived from the document's own name. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value, (key, inner: unknown) => {
    const isPositional =
      key === "position" || key === "runReference" || (key === "id" && String(inner).includes("://"));
    return isPositional ? undefined : inner;
  });
  return { ...JSON.parse(text), name: "" };
}

/** A packed document has one version for all processes. */
function isMixed(process: unknown): boolean {
  return new Set(JSON.stringify(process).match(/"cwlVersion":"[^"]*"/g)).size > 1;
}

test("every document of the conformance suite loads without errors, except the wrong ones", { skip }, async () => {
  const wrong: string[] = [];
  for (const tool of tools()) {
    const { process, diagnostics } = await loadDocument(new URL(tool, SUITE).href, { reader });
    if (process === undefined || diagnostics.some(({ severity }) => severity === "error")) wrong.push(tool);
  }
  assert.deepEqual(wrong.toSorted(), WRONG_DOCUMENTS.toSorted());
});

test("no expression of a valid document of the conformance suite is reported", { skip }, async () => {
  for (const tool of soundTools()) {
    const { diagnostics } = await loadDocument(new URL(tool, SUITE).href, { reader });
    assert.deepEqual(diagnostics.filter(isAboutExpression), [], tool);
  }
});

test("no expression of the shipped catalog is reported", async () => {
  const catalog = new URL("../../../catalog/", import.meta.url);
  const documents = readdirSync(catalog, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".cwl"));
  assert.ok(documents.length > 0);
  for (const name of documents) {
    const { diagnostics } = await loadDocument(new URL(name, catalog).href, { reader });
    assert.deepEqual(diagnostics.filter(isAboutExpression), [], name);
  }
});

/** Printed by `packages/tooling/conformance/second-reader.py`, which reads all documents with PyYAML. */
const SECOND_READER = "a7ebae3d9ee34a6949bdc17ea2b75c39f9c86214b29913b5190da9794bf8c47c";

test("every document of the conformance suite has the values that PyYAML reads", { skip }, () => {
  const names = readdirSync(SUITE, { recursive: true, encoding: "utf8" });
  const lines = names
    .filter((name) => /\.(?:cwl|ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => `${name} ${hash("sha256", outlineOf(readFileSync(new URL(name, SUITE), "utf8")))}\n`);
  assert.ok(lines.length > 300);
  assert.equal(hash("sha256", lines.join("")), SECOND_READER);
});

function outlineOf(text: string): string {
  const { root, diagnostics } = parseYaml(new SourceText("file:///document", text));
  if (diagnostics.some(({ code }) => code === "yaml-syntax")) return "refused";
  return root === undefined ? "empty" : outline(root);
}

/** Keys in their order; a fraction as its bits, because languages write them differently. */
function outline(node: YamlNode): string {
  if (node.kind === "sequence") return `[${node.items.map(outline).join(",")}]`;
  if (node.kind === "mapping")
    return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${outline(value)}`).join(",")}}`;
  const { value } = node;
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return `#${value}`;
  if (typeof value !== "number") return JSON.stringify(value);
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  return `#${bits.toString("hex")}`;
}

test("every document of the conformance suite is unchanged after packing and loading", { skip }, async () => {
  for (const tool of soundTools()) {
    const loaded = await loadDocument(new URL(tool, SUITE).href, { reader });
    const packed = JSON.stringify(packDocument(loaded));
    const uri = new URL(".packed.cwl", new URL(tool, SUITE)).href;
    const reloaded = await loadDocument(uri, {
      reader: { read: async (requested) => (requested === uri ? packed : undefined) },
    });
    if (!isMixed(loaded.process)) assert.deepEqual(comparable(reloaded.process), comparable(loaded.process), tool);
    assert.equal(JSON.stringify(packDocument(reloaded)), packed, tool);
  }
});
