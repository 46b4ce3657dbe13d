import type { Diagnostic } from "../diagnostic.ts";
import type { Process } from "../model/process.ts";
import { createLoadScope, createRootScope } from "./create-load-scope.ts";
import type { DocumentReader, LoadedSource } from "./document-reader.ts";
import { unreadable } from "./unreadable.ts";
import { readNamespaces } from "./fields/read-namespaces.ts";
import { DocumentStore, type ParsedTexts } from "./gather/document-store.ts";
import { gatherDocuments, type GatheredDocument } from "./gather/gather-documents.ts";
import type { LoadScope } from "./process/load-scope.ts";
import { checkDocuments, graphMembers } from "./process/check-documents.ts";
import { readDocumentProcess } from "./process/read-document.ts";
import { checkExpressions, type TextPosition } from "../expression/static/check-expressions.ts";
import { NotUtf8, UTF8_HINT } from "../values/decode-utf8.ts";
import { checkLinks } from "../links/check-links.ts";
import type { FieldPosition } from "../links/link-findings.ts";
import { withoutFragment, resolveReference } from "../values/resolve-reference.ts";
import { nodeAtPath } from "./yaml/node-at-path.ts";
import { positionInScalar } from "./yaml/offset-in-scalar.ts";
import { entryOf, positionOf, type MappingNode, type YamlNode, describeNode } from "./yaml/yaml-node.ts";
import { defined } from "./fields/collection-readers.ts";
import { report, within, type Scope } from "./fields/scope.ts";

export interface LoadedDocument {
  /** Undefined if too much is missing; a best-effort model if `diagnostics` contains errors. */
  readonly process: Process | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Ids of the processes in the root document's `$graph`, as in references after `#`; empty without a `$graph`. */
  readonly members: readonly string[];
  /** Every document, import and include that was read, the root first. */
  readonly sources: readonly LoadedSource[];
  /** `$namespaces` of the root document: prefix to IRI. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** The readable ontologies among `$schemas` of all documents; not among `sources`. */
  readonly schemas: readonly LoadedSource[];
}

interface LoadOptions {
  readonly reader: DocumentReader;
  /** Parsed texts of earlier loads: a text that has not changed is not parsed again. */
  readonly parsed?: ParsedTexts;
  /** Also checks the members of a `$graph` that the process does not run. */
  readonly checksMembers?: boolean;
}

/**
 * Loads a CWL document (v1.0, v1.1 or v1.2; YAML or JSON) with everything it refers to, as v1.2. `reference` is an
 * absolute URI; `#id` selects from a `$graph`. An invalid document yields diagnostics, never an exception.
 */
export async function loadDocument(reference: string, options: LoadOptions): Promise<LoadedDocument> {
  return (await loadWithTrees(reference, options)).document;
}

/** A document with its syntax trees, for editors. */
export interface DocumentTrees {
  readonly document: LoadedDocument;
  /** The nodes that parts of the model were read from. */
  readonly nodes: Pick<WeakMap<object, MappingNode>, "get">;
  /** The roots of all documents by URI, directives expanded. */
  readonly roots: ReadonlyMap<string, YamlNode>;
  /** The processes of the root document's `$graph` by their names in `members`, without those that cannot be read. */
  readonly memberProcesses: ReadonlyMap<string, Process>;
}

/** Like `loadDocument`, together with the trees of all documents that were read. */
export async function loadWithTrees(
  reference: string,
  { reader, parsed, checksMembers = false }: LoadOptions,
): Promise<DocumentTrees> {
  const store = new DocumentStore(reader, parsed);
  const { scope, root } = await gather(reference, store);
  const { nodes } = scope;
  const roots = new Map(rootsOf(scope).map((node) => [node.source.uri, node]));
  if (root !== undefined)
    return { ...(await readDocument(reference, root, { scope, store, reader, checksMembers })), nodes, roots };
  const diagnostics = [...store.diagnostics, ...scope.diagnostics];
  const nothing = { process: undefined, members: [], namespaces: new Map<string, string>(), schemas: [] };
  return {
    document: { ...nothing, diagnostics, sources: store.sources },
    ...{ nodes, roots, memberProcesses: new Map() },
  };
}

interface Reading {
  readonly scope: LoadScope;
  readonly store: DocumentStore;
  readonly reader: DocumentReader;
  readonly checksMembers: boolean;
}

/** Builds each process once, even if many steps run it. */
async function readDocument(
  reference: string,
  root: GatheredDocument,
  { scope, store, reader, checksMembers }: Reading,
): Promise<Pick<DocumentTrees, "document" | "memberProcesses">> {
  const selected = readDocumentProcess(root, reference, { node: root.root, scope });
  checkDocuments(root.root, scope);
  const isSmall = smallEnough(root.root, scope);
  const process = selected !== undefined && isSmall(selected) ? selected : undefined;
  const members = graphMembers(root.root);
  const memberProcesses = new Map(
    members.flatMap((id) => {
      const member = readDocumentProcess(root, `${root.root.source.uri}#${id}`, { node: root.root, scope });
      return member !== undefined && isSmall(member) ? [[id, member] as const] : [];
    }),
  );
  const schemas = await readSchemas(rootsOf(scope), reader, scope);
  const checked = new Set(
    [process, ...(checksMembers ? memberProcesses.values() : [])].filter((one) => one !== undefined),
  );
  const found = [
    ...store.diagnostics,
    ...scope.diagnostics,
    ...[...checked].flatMap((one) => checkProcess(one, scope)),
  ];
  const diagnostics = onceForEachDocument(sorted(checksMembers ? unique(found) : found, store));
  const namespaces = readNamespaces(root.root);
  return { document: { process, diagnostics, members, sources: store.sources, namespaces, schemas }, memberProcesses };
}

function checkProcess(process: Process, scope: LoadScope): readonly Diagnostic[] {
  const fieldPosition = fieldPositionIn(scope);
  const links = process.class === "Workflow" ? checkLinks(process, { fieldPosition }) : [];
  return [...links, ...checkExpressions(process, textPositionIn(scope))];
}

/** Removes duplicates: members of a `$graph` run each other, so a problem may be found several times. */
function unique(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}

/** A few networks that run each other twice have billions of steps, which no code could visit in reasonable time. */
export const MAX_STEPS = 20_000;

function smallEnough(root: YamlNode, scope: LoadScope): (process: Process) => boolean {
  const known = new Map<Process, number>();
  let isReported = false;
  return (process) => {
    if (countSteps(process, known) <= MAX_STEPS) return true;
    const message = `\`${process.name}\` has more than ${MAX_STEPS} steps, counting those of the networks that it runs`;
    if (!isReported) report({ ...scope, place: "" }, scope.nodes.get(process) ?? root, { code: "step-limit", message });
    isReported = true;
    return false;
  };
}

/** The number of steps of a network and its nested networks, each counted as often as it runs. */
function countSteps(process: Process, known: Map<Process, number>): number {
  if (process.class !== "Workflow") return 0;
  const before = known.get(process);
  if (before !== undefined) return before;
  const count = process.steps.reduce((sum, { run }) => sum + 1 + countSteps(run, known), 0);
  known.set(process, count);
  return count;
}

interface Gathered {
  readonly scope: LoadScope;
  /** Undefined if the root document is unreadable or not YAML, which has been reported. */
  readonly root: GatheredDocument | undefined;
}

async function gather(reference: string, store: DocumentStore): Promise<Gathered> {
  const outer = createRootScope();
  const documents = await gatherDocuments(reference, store, outer);
  const scope = createLoadScope(outer, reference, documents);
  const root = documents.get(withoutFragment(reference));
  if (root === undefined) scope.diagnostics.push(unreadable(withoutFragment(reference)));
  return { scope, root: root === "broken" ? undefined : root };
}

/** The gathered documents, in the order of reading. */
function rootsOf(scope: LoadScope): readonly YamlNode[] {
  return [...scope.documents.values()].flatMap((document) => (document === "broken" ? [] : [document.root]));
}

function fieldPositionIn(scope: LoadScope): FieldPosition {
  return (part, field) => {
    const node = scope.nodes.get(part);
    const entry = node === undefined ? undefined : entryOf(node, field);
    if (entry === undefined) return undefined;
    return positionOf(entry.value.kind === "scalar" ? entry.value : entry.keyNode);
  };
}

function textPositionIn(scope: LoadScope): TextPosition {
  return (part, path, offset) => {
    const node = scope.nodes.get(part);
    const text = node === undefined ? undefined : nodeAtPath(node, path);
    return text?.kind === "scalar" ? positionInScalar(text, offset) : undefined;
  };
}

/** Sorts diagnostics by document in the order of reading, then by position. */
function sorted(diagnostics: readonly Diagnostic[], store: DocumentStore): readonly Diagnostic[] {
  const order = new Map(store.sources.map(({ uri }, index) => [uri, index]));
  return diagnostics.toSorted(
    (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
  );
}

/** Codes of warnings about prefixes and ontologies, which do not change the behavior of a document: reported once, with a count. */
const COUNTED: ReadonlySet<string> = new Set(["undeclared-prefix", "unreadable-schema"]);

function onceForEachDocument(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const keyOf = ({ file, code, hint }: Diagnostic) => [file, code, hint].join(" ");
  const counted = diagnostics.filter(({ code, hint }) => COUNTED.has(code) && hint !== undefined);
  const groups = Map.groupBy(counted, keyOf);
  return diagnostics.flatMap((diagnostic) => {
    const [first, ...more] = groups.get(keyOf(diagnostic)) ?? [];
    if (first === undefined || more.length === 0) return [diagnostic];
    return first === diagnostic
      ? [{ ...first, message: `${first.message} (${more.length} more in this document)` }]
      : [];
  });
}

/**
 * Reads the ontologies that documents name in `$schemas`, in their order, each once. They are optional, so an unreadable one
 * causes only a warning. Never fetches an ontology from another machine.
 * CWL v1.2 CommandLineTool.html#Extensions_and_metadata.
 */
async function readSchemas(
  roots: readonly YamlNode[],
  reader: DocumentReader,
  scope: Scope,
): Promise<readonly LoadedSource[]> {
  const inSchemas = within(scope, "$schemas");
  const nodes = new Map(roots.flatMap(schemaNodes).map((node) => [addressOf(node) ?? node, node]));
  return defined(await Promise.all([...nodes.values()].map((node) => readSchema(node, reader, inSchemas))));
}

function schemaNodes(root: YamlNode): readonly YamlNode[] {
  const declared = root.kind === "mapping" ? entryOf(root, "$schemas")?.value : undefined;
  if (declared === undefined || (declared.kind === "scalar" && declared.value === null)) return [];
  return declared.kind === "sequence" ? declared.items : [declared];
}

async function readSchema(node: YamlNode, reader: DocumentReader, scope: Scope): Promise<LoadedSource | undefined> {
  const uri = addressOf(node);
  if (uri === undefined) return warn(node, scope, `expected the address of an ontology, found ${describeNode(node)}`);
  if (!FILE_OF_THIS_MACHINE.test(uri))
    return warn(node, scope, `\`${uri}\` is not read: only files on this machine are`, COPY_HINT);
  try {
    const text = await reader.read(uri);
    return text === undefined ? warn(node, scope, `cannot read ${uri}`) : { uri, text };
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    return warn(node, scope, `${uri} is ${error.message}`, UTF8_HINT);
  }
}

function addressOf(node: YamlNode): string | undefined {
  const reference = node.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
  const address = reference === undefined ? undefined : resolveReference(reference, node.source.uri);
  return address === undefined ? undefined : withoutFragment(address);
}

/** Matches `file:` URIs without a host and without escapes that cannot occur in a path. */
const FILE_OF_THIS_MACHINE = /^file:\/\/\/(?!.*(%(?![0-9a-f]{2})|%2f|%00))/i;

const COPY_HINT = "if file formats depend on it, refer to a local copy next to the document";

function warn(node: YamlNode, scope: Scope, message: string, hint?: string): undefined {
  return report(scope, node, { severity: "warning", code: "unreadable-schema", message, hint });
}
