import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { DocumentReader } from "./document-reader.ts";
import { loadDocument } from "./load-document.ts";
import { packDocument } from "./pack-document.ts";

/** The public conformance suite lies beside the project where it was fetched; without it these tests are skipped. */
const SUITE = new URL("../../../../../shared/conformance/v1.2/", import.meta.url);
const skip = existsSync(SUITE) ? false : "the conformance suite is not here";

interface SuiteTest {
  readonly id: string;
  readonly tool: string;
}

/** Those of the tests that must fail whose document itself is wrong; the others fail when they run. */
const WRONG_DOCUMENTS = ["tests/mixed-versions/invalid-tool-v10.cwl", "tests/mixed-versions/invalid-wf-v10.cwl"];

const reader: DocumentReader = {
  read: async (uri) => {
    const url = new URL(uri);
    return existsSync(url) ? readFileSync(url, "utf8") : undefined;
  },
};

const tools = (): readonly string[] => {
  const tests: readonly SuiteTest[] = JSON.parse(readFileSync(new URL("tests.json", SUITE), "utf8"));
  return [...new Set(tests.map(({ tool }) => tool))];
};

/** What packing may change: places, and names that follow from the document's own. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value, (key, inner: unknown) => {
    const isOfPlace = key === "position" || key === "runReference" || (key === "id" && String(inner).includes("://"));
    return isOfPlace ? undefined : inner;
  });
  return { ...JSON.parse(text), name: "" };
}

test("every document of the conformance suite loads without errors, but for the wrong ones", { skip }, async () => {
  const wrong: string[] = [];
  for (const tool of tools()) {
    const { process, diagnostics } = await loadDocument(new URL(tool, SUITE).href, { reader });
    if (process === undefined || diagnostics.some(({ severity }) => severity === "error")) wrong.push(tool);
  }
  assert.deepEqual(wrong, WRONG_DOCUMENTS);
});

test("every document of the conformance suite comes back the same from its packed form", { skip }, async () => {
  for (const tool of tools().filter((name) => !WRONG_DOCUMENTS.includes(name))) {
    const loaded = await loadDocument(new URL(tool, SUITE).href, { reader });
    const packed = JSON.stringify(packDocument(loaded));
    const uri = new URL(".packed.cwl", new URL(tool, SUITE)).href;
    const again = await loadDocument(uri, { reader: { read: async (asked) => (asked === uri ? packed : undefined) } });
    assert.deepEqual(comparable(again.process), comparable(loaded.process), tool);
    assert.equal(JSON.stringify(packDocument(again)), packed, tool);
  }
});
