import type { AnyNode, Identifier, MemberExpression, Node } from "acorn";
import type { Segment } from "./static-value.ts";

/** A member access such as `inputs.reads[0].path`. Offsets are positions in the parsed text. */
export interface MemberUse {
  readonly root: string;
  /** The segments before the first one that is computed at run time. */
  readonly segments: readonly Segment[];
  /** The offset of each segment. */
  readonly offsets: readonly number[];
  readonly offset: number;
}

export interface NameUse {
  readonly name: string;
  readonly offset: number;
}

/** The names that a script uses without declaring them, and how it uses them. */
export interface ScriptUses {
  readonly members: readonly MemberUse[];
  /** Names that the script neither declares nor tests with `typeof`. */
  readonly names: readonly NameUse[];
  /** Paths (`inputs.reads`) that the script assigns, compares or tests, so it handles missing values itself. */
  readonly tested: ReadonlySet<string>;
  /** All string literals, which may be names of fields. */
  readonly texts: ReadonlySet<string>;
  /** Names that the script declares or assigns, at any depth. */
  readonly declared: ReadonlySet<string>;
  /** False if the outermost function can only return `undefined`. */
  readonly returns: boolean;
}

export function usesOf(tree: Node): ScriptUses {
  const collector = new Collector();
  // The union contains every node type of the parser.
  collector.walk(tree as AnyNode);
  return collector.uses();
}

interface Visit {
  readonly node: AnyNode;
  readonly parent: AnyNode | undefined;
  readonly key: string;
  /** Number of functions that enclose the node. */
  readonly depth: number;
}

class Collector {
  readonly #members: MemberUse[] = [];
  readonly #names: NameUse[] = [];
  readonly #tested = new Set<string>();
  readonly #texts = new Set<string>();
  readonly #declared = new Set<string>(["arguments"]);
  #returns = false;

  uses(): ScriptUses {
    const names = this.#names.filter(({ name }) => !this.#declared.has(name));
    const members = this.#members.filter(({ root }) => !this.#declared.has(root));
    const [tested, texts, declared] = [this.#tested, this.#texts, this.#declared];
    return { members, names, tested, texts, declared, returns: this.#returns };
  }

  /** Works without recursion, because a script may nest as deeply as the parser allows. */
  walk(tree: AnyNode): void {
    const waiting: Visit[] = [{ node: tree, parent: undefined, key: "", depth: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      this.#visit(next);
      const depth = next.depth + (isFunction(next.node) ? 1 : 0);
      for (const [key, child] of childrenOf(next.node)) waiting.push({ node: child, parent: next.node, key, depth });
    }
  }

  #visit({ node, parent, key, depth }: Visit): void {
    switch (node.type) {
      case "Literal":
        if (typeof node.value === "string") this.#texts.add(node.value);
        return;
      case "ReturnStatement":
      case "ThrowStatement":
        // The outermost function is the one that wraps the code.
        if (depth === 1) this.#returns = true;
        return;
      case "MemberExpression":
        if (parent?.type !== "MemberExpression" || key !== "object") this.#addMember(node, parent, key);
        return;
      case "Identifier":
        if (isReference(parent, key)) this.#addName(node, parent);
        return;
      default:
        for (const name of declaredNames(node)) this.#declared.add(name);
    }
  }

  #addName({ name, start }: Identifier, parent: AnyNode | undefined): void {
    const isTypeof = parent?.type === "UnaryExpression" && parent.operator === "typeof";
    if (isTypeof) this.#declared.add(name);
    else this.#names.push({ name, offset: start });
  }

  #addMember(node: MemberExpression, parent: AnyNode | undefined, key: string): void {
    const use = memberUse(node);
    if (use === undefined) return;
    const isCalled = parent?.type === "CallExpression" && key === "callee";
    const isWhole = use.segments.length === use.depth;
    const kept = isCalled && isWhole ? use.segments.length - 1 : use.segments.length;
    if (isTested(parent, key) || use.isOptional) {
      let path = use.root;
      for (const segment of use.segments) this.#tested.add((path += `.${segment}`));
    }
    this.#members.push({ ...use, segments: use.segments.slice(0, kept), offsets: use.offsets.slice(0, kept) });
  }
}

interface WholeUse extends MemberUse {
  /** Number of segments in the expression, including those that are not known. */
  readonly depth: number;
  readonly isOptional: boolean;
}

function memberUse(node: MemberExpression): WholeUse | undefined {
  const chain: MemberExpression[] = [];
  let object: AnyNode = node;
  while (object.type === "MemberExpression") {
    chain.unshift(object);
    object = object.object;
  }
  if (object.type !== "Identifier") return undefined;
  const known = chain.map(segmentOf);
  const end = known.findIndex((segment) => segment === undefined);
  const found = (end === -1 ? known : known.slice(0, end)).filter((segment) => segment !== undefined);
  return {
    root: object.name,
    offset: object.start,
    segments: found.map(({ segment }) => segment),
    offsets: found.map(({ offset }) => offset),
    depth: chain.length,
    isOptional: chain.some(({ optional }) => optional),
  };
}

function segmentOf({ property, computed }: MemberExpression): { segment: Segment; offset: number } | undefined {
  if (!computed && property.type === "Identifier") return { segment: property.name, offset: property.start };
  if (property.type !== "Literal") return undefined;
  const { value, start } = property;
  if (typeof value === "number") return { segment: value, offset: start };
  return typeof value === "string" ? { segment: value, offset: start } : undefined;
}

function isTested(parent: AnyNode | undefined, key: string): boolean {
  switch (parent?.type) {
    case "LogicalExpression":
      return key === "left";
    case "ConditionalExpression":
    case "IfStatement":
      return key === "test";
    case "BinaryExpression":
      return ["==", "!=", "===", "!=="].includes(parent.operator);
    case "AssignmentExpression":
      return key === "left";
    case "UnaryExpression":
    case "UpdateExpression":
      return true;
    default:
      return false;
  }
}

function isReference(parent: AnyNode | undefined, key: string): boolean {
  switch (parent?.type) {
    case "MemberExpression":
      return key !== "property" || parent.computed;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return key !== "key" || parent.computed;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
      return false;
    default:
      return true;
  }
}

/** Names that a node declares or assigns, regardless of their scope. */
function declaredNames(node: AnyNode): readonly string[] {
  switch (node.type) {
    case "VariableDeclarator":
      return namesIn(node.id);
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return [...(node.id ? [node.id.name] : []), ...node.params.flatMap(namesIn)];
    case "ClassDeclaration":
    case "ClassExpression":
      return node.id ? [node.id.name] : [];
    case "CatchClause":
      return node.param ? namesIn(node.param) : [];
    default:
      return [];
  }
}

/** All names of a pattern. */
function namesIn(pattern: AnyNode): readonly string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  return childrenOf(pattern).flatMap(([, child]) => namesIn(child));
}

function isFunction({ type }: AnyNode): boolean {
  return type === "FunctionExpression" || type === "FunctionDeclaration" || type === "ArrowFunctionExpression";
}

function childrenOf(node: AnyNode): readonly (readonly [key: string, child: AnyNode])[] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (Array.isArray(value)) return value.filter(isNode).map((child) => [key, child] as const);
    return isNode(value) ? [[key, value] as const] : [];
  });
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
