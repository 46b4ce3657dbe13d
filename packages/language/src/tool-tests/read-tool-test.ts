import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import { createLoadScope, createRootScope } from "@weft/cwl/document/create-load-scope.ts";
import type { DocumentReader, LoadedSource } from "@weft/cwl/document/document-reader.ts";
import { optional, readFields } from "@weft/cwl/document/fields/read-fields.ts";
import { readNamespaces } from "@weft/cwl/document/fields/read-namespaces.ts";
import { text, textOrLines, wrongKind } from "@weft/cwl/document/fields/scalar-readers.ts";
import { report, within, type Reader } from "@weft/cwl/document/fields/scope.ts";
import { DocumentStore } from "@weft/cwl/document/gather/document-store.ts";
import { expandDirectives } from "@weft/cwl/document/gather/expand-directives.ts";
import { loadInputObject, readInputEntries, type LoadedInputObject } from "@weft/cwl/document/load-input-object.ts";
import type { LoadScope } from "@weft/cwl/document/process/load-scope.ts";
import { resolveReference } from "@weft/cwl/values/resolve-reference.ts";
import { unreadable } from "@weft/cwl/document/unreadable.ts";
import { positionOf, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import { checkAt, readOutputChecks } from "./read-expectations.ts";
import type { Check, ExpectedFailure, ToolTest } from "./tool-test.ts";

export interface LoadedToolTest {
  /** Undefined if the file has an error. */
  readonly test: ToolTest | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly LoadedSource[];
}

type Inputs = Pick<LoadedInputObject, "values" | "requirements" | "overrides">;

const NO_INPUTS: Inputs = { values: {}, requirements: [], overrides: new Map() };

/** Reads a test from an absolute URI. Reports all problems as diagnostics. */
export async function readToolTest(
  uri: string,
  { reader }: { readonly reader: DocumentReader },
): Promise<LoadedToolTest> {
  const store = new DocumentStore(reader);
  const outer = createRootScope();
  const tree = await store.readTree(uri);
  if (tree === undefined) {
    const diagnostics = store.isReadable(uri) ? store.diagnostics : [unreadable(uri)];
    return { test: undefined, diagnostics, sources: store.sources };
  }
  const root = await expandDirectives(tree, store, outer);
  const scope = { ...createLoadScope(outer, uri, new Map()), namespaces: readNamespaces(tree) };
  const further: Diagnostic[] = [];
  const test = await readTest(root, scope, { reader, further });
  const diagnostics = [...store.diagnostics, ...scope.diagnostics, ...further];
  const isWrong = diagnostics.some(({ severity }) => severity === "error");
  return { test: isWrong ? undefined : test, diagnostics, sources: store.sources };
}

interface Reading {
  readonly reader: DocumentReader;
  /** Collects the problems of an input object that the test names. */
  readonly further: Diagnostic[];
}

async function readTest(root: YamlNode, scope: LoadScope, reading: Reading): Promise<ToolTest | undefined> {
  if (root.kind !== "mapping") return wrongKind(root, scope, "a map with `inputs` and `outputs`");
  const { doc, inputs, outputs = [], fails, message, max_memory_mib, max_seconds } = readFields(root, FIELDS, scope);
  const failure = fails === false ? undefined : fails;
  if (failure !== undefined && outputs.length > 0) report(scope, root, FAILS_WITH_OUTPUTS);
  if (failure === undefined && message !== undefined) report(scope, root, MESSAGE_WITHOUT_FAILURE);
  const checks = [...outputs, message, max_memory_mib, max_seconds].filter((check) => check !== undefined);
  if (failure === undefined && checks.length === 0) report(scope, root, EXPECTS_NOTHING);
  const { values, requirements, overrides } = await readInputs(inputs, scope, reading);
  return { doc, inputs: values, requirements, overrides, failure, checks };
}

const FAILS_WITH_OUTPUTS = {
  code: "failure-with-outputs",
  message: "a test that expects a failure cannot expect `outputs`",
  hint: "remove one of the two",
};
const MESSAGE_WITHOUT_FAILURE = {
  code: "message-without-failure",
  message: "`message` is about a failure",
  hint: "add `fails: true`, or the exit code: `fails: 2`",
};
const EXPECTS_NOTHING = {
  severity: "warning",
  code: "expects-nothing",
  message: "the test only expects that the run succeeds",
  hint: "add `outputs`; `weft test --from-run` writes them from a run",
} as const;

const node: Reader<YamlNode> = (found) => found;

const failure: Reader<ExpectedFailure | false> = (found, scope) => {
  const value = found.kind === "scalar" ? found.value : undefined;
  const at = positionOf(found);
  if (value === false) return false;
  if (value === true) return { at, exitCode: undefined };
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value < 256) return { at, exitCode: value };
  return wrongKind(found, scope, "true, false or an exit code from 1 to 255");
};

const maximum =
  (kind: "max_memory_mib" | "max_seconds"): Reader<Check> =>
  (found, scope) => {
    const most =
      found.kind === "scalar" && typeof found.value === "number" && found.value > 0 ? found.value : undefined;
    return most === undefined ? wrongKind(found, scope, "a number above 0") : checkAt(found, { kind, most });
  };

const message: Reader<Check> = (found, scope) => {
  const expected = text(found, scope);
  return expected === undefined ? undefined : checkAt(found, { kind: "message", text: expected });
};

const FIELDS = {
  doc: optional(textOrLines),
  inputs: optional(node),
  outputs: optional(readOutputChecks),
  fails: optional(failure),
  message: optional(message),
  max_memory_mib: optional(maximum("max_memory_mib")),
  max_seconds: optional(maximum("max_seconds")),
};

/** An input object, or the path of one. */
async function readInputs(found: YamlNode | undefined, scope: LoadScope, reading: Reading): Promise<Inputs> {
  if (found === undefined) return NO_INPUTS;
  const inner = within(scope, "inputs");
  if (found.kind === "mapping") return readInputEntries(found, inner);
  const path = text(found, inner);
  const uri = path === undefined ? undefined : resolveReference(path, found.source.uri);
  if (uri === undefined) return NO_INPUTS;
  const loaded = await loadInputObject(uri, { reader: reading.reader });
  if (loaded.sources.length === 0)
    report(inner, found, { code: "unreadable", message: `there is no input object at \`${path}\`` });
  else reading.further.push(...loaded.diagnostics);
  return loaded;
}
