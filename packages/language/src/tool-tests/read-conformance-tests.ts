import { below, checkAt as check } from "./read-expectations.ts";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import { createRootScope } from "@weft/cwl/document/create-load-scope.ts";
import type { DocumentReader, LoadedSource } from "@weft/cwl/document/document-reader.ts";
import { wrongKind } from "@weft/cwl/document/fields/scalar-readers.ts";
import { report, within, type Scope } from "@weft/cwl/document/fields/scope.ts";
import { DocumentStore } from "@weft/cwl/document/gather/document-store.ts";
import { expandDirectives } from "@weft/cwl/document/gather/expand-directives.ts";
import { resolveReference } from "@weft/cwl/values/resolve-reference.ts";
import { unreadable } from "@weft/cwl/document/unreadable.ts";
import { entryOf, positionOf, textEntry, type MappingNode, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import { EXACT, type Check } from "./tool-test.ts";

/** One test in the format of cwltest, which conformance suites use. */
export interface ConformanceTest {
  readonly id: string;
  readonly doc: string | undefined;
  /** Absolute URI, with `#id` for one process of the document. */
  readonly tool: string;
  /** Absolute URI of the input object; undefined: no inputs. */
  readonly job: string | undefined;
  readonly shouldFail: boolean;
  readonly at: Check["at"];
  readonly checks: readonly Check[];
  /** Problems of this test. */
  readonly diagnostics: readonly Diagnostic[];
}

interface LoadedConformanceTests {
  readonly tests: readonly ConformanceTest[];
  /** Problems of the file as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly LoadedSource[];
}

/** Reads a file of tests in the format of cwltest, and the files that it imports. */
export async function readConformanceTests(
  uri: string,
  { reader }: { readonly reader: DocumentReader },
): Promise<LoadedConformanceTests> {
  const store = new DocumentStore(reader);
  const scope = createRootScope();
  const root = await store.readTree(uri);
  const tests = root === undefined ? [] : await readTests(root, scope, store);
  const missing = root === undefined && !store.isReadable(uri) ? [unreadable(uri)] : [];
  return { tests, diagnostics: [...missing, ...store.diagnostics, ...scope.diagnostics], sources: store.sources };
}

async function readTests(node: YamlNode, scope: Scope, store: DocumentStore): Promise<readonly ConformanceTest[]> {
  if (node.kind !== "sequence") {
    wrongKind(node, scope, "a list of tests");
    return [];
  }
  const tests: ConformanceTest[] = [];
  for (const [index, item] of node.items.entries()) {
    // A problem of one test does not keep the others from running.
    const own = { ...within(scope, String(index)), diagnostics: [] };
    const expanded = await expandDirectives(item, store, own);
    if (expanded.kind === "sequence") tests.push(...(await readTests(expanded, own, store)));
    else tests.push(readTest(expanded, own, index));
  }
  return tests;
}

function readTest(node: YamlNode, scope: Scope, index: number): ConformanceTest {
  const uriOf = (key: string) => {
    const text = textEntry(node, key);
    return text === undefined ? undefined : resolveReference(text, node.source.uri);
  };
  const tool = uriOf("tool");
  if (tool === undefined) report(scope, node, { code: "missing-field", message: "the field `tool` is missing" });
  const field = (key: string) => (node.kind === "mapping" ? entryOf(node, key)?.value : undefined);
  const [id, fails, output] = [field("id"), field("should_fail"), field("output")];
  return {
    id: id?.kind === "scalar" ? String(id.value).replace(/^#/, "") : String(index + 1),
    doc: textEntry(node, "doc"),
    tool: tool ?? "",
    job: uriOf("job"),
    shouldFail: fails?.kind === "scalar" && fails.value === true,
    at: positionOf(node),
    checks: output?.kind === "mapping" ? fieldChecks(output) : [],
    diagnostics: scope.diagnostics,
  };
}

function fieldChecks(node: MappingNode): readonly Check[] {
  return node.entries.flatMap(({ key, value }) => below({ kind: "field", name: key }, checksOf(value)));
}

/** `Any` stands for every value. */
const ANY = "Any";

function checksOf(node: YamlNode): readonly Check[] {
  switch (node.kind) {
    case "scalar":
      return node.value === ANY ? [] : [check(node, { kind: "value", value: node.value, margin: EXACT })];
    case "sequence": {
      const range = { min: node.items.length, max: node.items.length };
      const items = node.items.flatMap((item, index) => below({ kind: "item", index }, checksOf(item)));
      return [check(node, { kind: "count", range }), ...items];
    }
    case "mapping": {
      const name = textEntry(node, "class");
      if (name !== "File" && name !== "Directory") return fieldChecks(node);
      return [check(node, { kind: "class", name }), ...fileChecks(node)];
    }
  }
}

/** The checks that the fields of a File or Directory imply. */
function fileChecks(node: MappingNode): readonly Check[] {
  return node.entries.flatMap(({ key, value }) => {
    const text = value.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
    const size = value.kind === "scalar" && typeof value.value === "number" ? value.value : undefined;
    if (text === ANY) return [];
    if (key === "location" || key === "path" || key === "basename") return nameChecks(value, text);
    if (key === "checksum" && text !== undefined) return [check(value, { kind: "checksum", text })];
    if (key === "contents" && text !== undefined) return [check(value, { kind: "contents", text })];
    if (key === "size" && size !== undefined) return [check(value, { kind: "size", range: { min: size, max: size } })];
    if (key === "secondaryFiles") return entryChecks(value, "secondary");
    return key === "listing" ? entryChecks(value, "entry") : [];
  });
}

function nameChecks(node: YamlNode, path: string | undefined): readonly Check[] {
  const text = path?.split("/").findLast((part) => part !== "");
  return text === undefined || text === ANY ? [] : [check(node, { kind: "basename", text })];
}

/** The checks of entries, which are found by their names; an entry without a name cannot be checked. */
function entryChecks(node: YamlNode, kind: "entry" | "secondary"): readonly Check[] {
  if (node.kind !== "sequence") return [];
  return node.items.flatMap((item) => {
    const path = textEntry(item, "location") ?? textEntry(item, "path") ?? textEntry(item, "basename");
    const name = path?.split("/").findLast((part) => part !== "");
    return name === undefined || name === ANY ? [] : below({ kind, name }, checksOf(item));
  });
}
