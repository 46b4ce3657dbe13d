import { holdsExpression } from "../../expression/parse-template.ts";
import { describeNode, type YamlNode } from "../yaml/yaml-node.ts";
import { shaped } from "./field-info.ts";
import { truthHint } from "../../check/check-type.ts";
import { isSince, report, type Reader, type Scope } from "./scope.ts";
import { suggestionHint } from "../../suggest.ts";

/** Reports that a node is of the wrong kind. */
export function wrongKind(node: YamlNode, scope: Scope, expected: string, hint?: string): undefined {
  return report(scope, node, {
    code: "wrong-kind",
    message: `expected ${expected}, found ${describeNode(node)}`,
    hint,
  });
}

/** Reads a string. Refuses a number or boolean with the advice to quote it. */
export const text: Reader<string> = (node, scope) => {
  if (node.kind !== "scalar") return wrongKind(node, scope, "text");
  if (typeof node.value === "string") return node.value;
  return wrongKind(node, scope, "text", node.value === null ? undefined : "put it in quotation marks");
};

const TRUTH = ["true", "false"];

export const boolean: Reader<boolean> = shaped({ type: "boolean", words: TRUTH }, (node, scope) => {
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  return wrongKind(node, scope, "true or false", truthHint(node.kind === "scalar" ? node.value : ""));
});

export const integer: Reader<number> = shaped({ type: "integer" }, (node, scope) => {
  if (node.kind === "scalar" && typeof node.value === "number" && Number.isInteger(node.value)) return node.value;
  return wrongKind(node, scope, "a whole number");
});

/** Reads a number, or an expression that returns one. */
export const numberOrExpression: Reader<number | string> = (node, scope) => {
  if (node.kind === "scalar" && typeof node.value === "number") return node.value;
  if (isExpressionNode(node)) return node.value;
  return wrongKind(node, scope, "a number or an expression");
};

/** Reads a whole number, or an expression that returns one. */
export const integerOrExpression: Reader<number | string> = shaped({ type: "integer or expression" }, (node, scope) => {
  if (node.kind === "scalar" && typeof node.value === "number" && Number.isInteger(node.value)) return node.value;
  if (isExpressionNode(node)) return node.value;
  return wrongKind(node, scope, "a whole number or an expression");
});

/** Reads true, false, or an expression that returns one of them. */
export const booleanOrExpression: Reader<boolean | string> = shaped(
  { type: "boolean or expression", words: TRUTH },
  (node, scope) => {
    if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
    if (isExpressionNode(node)) return node.value;
    return wrongKind(node, scope, "true, false or an expression", truthHint(node.kind === "scalar" ? node.value : ""));
  },
);

/** Reads a string that must be an expression; v1.0 accepted any string. */
export const expression: Reader<string> = shaped({ type: "expression" }, (node, scope) => {
  const found = text(node, scope);
  if (found === undefined || holdsExpression(found) || !isSince(scope, "v1.1")) return found;
  return wrongKind(node, scope, "an expression, `$(…)` or `${…}`");
});

/** Reads one of a closed set of words. */
export function word<const W extends string>(...words: readonly W[]): Reader<W> {
  return shaped({ type: "word", words }, (node, scope) => {
    const found = node.kind === "scalar" ? words.find((candidate) => candidate === node.value) : undefined;
    if (found !== undefined) return found;
    const hint = node.kind === "scalar" ? suggestionHint(String(node.value), words) : undefined;
    return wrongKind(node, scope, `one of ${words.join(", ")}`, hint);
  });
}

/** Reads a string, or a list of strings that become its lines, as in `doc`. */
export const textOrLines: Reader<string> = shaped(
  { type: "text or list of lines", doc: "A description for people." },
  (node, scope) => {
    if (node.kind !== "sequence") return text(node, scope);
    const lines = node.items.map((item) => text(item, scope));
    return lines.some((line) => line === undefined) ? undefined : lines.join("\n");
  },
);

/** Accepts a field that has no effect. */
export const anything: Reader<undefined> = () => undefined;

function isExpressionNode(node: YamlNode): node is YamlNode & { readonly kind: "scalar"; readonly value: string } {
  return node.kind === "scalar" && typeof node.value === "string" && holdsExpression(node.value);
}
