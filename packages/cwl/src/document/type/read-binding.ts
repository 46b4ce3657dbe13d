import type { InputBinding, LoadListing, OutputBinding, SecondaryFilePattern } from "../../model/binding.ts";
import { mapOf, oneOrList } from "../fields/collection-readers.ts";
import { expandPrefix } from "../fields/extension-field.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import {
  boolean,
  booleanOrExpression,
  integerOrExpression,
  isExpression,
  text,
  word,
  wrongKind,
} from "../fields/scalar-readers.ts";
import { isSince, readFrom, report, type Reader, type Scope } from "../fields/scope.ts";
import type { MappingNode } from "../yaml/yaml-node.ts";

export const loadListing: Reader<LoadListing> = word("no_listing", "shallow_listing", "deep_listing");

const INPUT_BINDING = {
  loadContents: optional(boolean),
  position: optional(readPosition),
  prefix: optional(text),
  separate: optional(boolean),
  itemSeparator: optional(text),
  valueFrom: optional(text),
  shellQuote: optional(boolean),
};

const OUTPUT_BINDING = {
  glob: optional(oneOrList(text)),
  loadContents: optional(boolean),
  loadListing: optional(loadListing, { since: "v1.1" }),
  outputEval: optional(text),
};

const SECONDARY_FILE = { pattern: required(text), required: optional(booleanOrExpression) };

/** An input binding, and the `loadContents` that v1.0 put there. */
export interface ReadInputBinding {
  readonly binding: InputBinding;
  readonly loadContents: boolean;
}

/** CWL v1.2 CommandLineTool.html#CommandLineBinding. */
export const readInputBinding: Reader<ReadInputBinding> = mapOf(
  "an input binding",
  (node: MappingNode, scope: Scope) => {
    const {
      loadContents = false,
      separate = true,
      shellQuote = true,
      ...rest
    } = readFields(node, INPUT_BINDING, scope);
    return { binding: readFrom(node, omitUndefined({ ...rest, separate, shellQuote }), scope), loadContents };
  },
);

const CONTENTS_BINDING = { loadContents: INPUT_BINDING.loadContents };

/**
 * The binding of an input that never reaches a command line: only its `loadContents` has an effect, and since v1.1 no
 * other field is allowed.
 */
export const readContentsBinding: Reader<boolean> = mapOf("an input binding", (node: MappingNode, scope: Scope) => {
  const values = readFields(node, isSince(scope, "v1.1") ? CONTENTS_BINDING : INPUT_BINDING, scope);
  return values.loadContents ?? false;
});

/** CWL v1.2 CommandLineTool.html#CommandOutputBinding. */
export const readOutputBinding: Reader<OutputBinding> = mapOf(
  "an output binding",
  (node: MappingNode, scope: Scope) => {
    const { loadContents = false, ...rest } = readFields(node, OUTPUT_BINDING, scope);
    return readFrom(node, omitUndefined({ ...rest, loadContents }), scope);
  },
);

/** CWL v1.2 CommandLineTool.html#SecondaryFileSchema; the shorthand `.bai?` exists since v1.1. */
export const readSecondaryFiles: Reader<readonly SecondaryFilePattern[]> = oneOrList(
  (node, scope): SecondaryFilePattern | undefined => {
    if (node.kind === "sequence") return wrongKind(node, scope, "a pattern");
    if (node.kind === "scalar") return readPattern(text(node, scope), scope);
    if (!isSince(scope, "v1.1")) {
      const hint = "CWL v1.1 introduced patterns with `required`";
      return report(scope, node, {
        code: "field-version",
        message: "CWL v1.0 allows only strings as patterns",
        hint,
      });
    }
    const { pattern, required: isRequired } = readFields(node, SECONDARY_FILE, scope);
    return pattern === undefined ? undefined : readFrom(node, omitUndefined({ pattern, required: isRequired }), scope);
  },
);

function readPattern(pattern: string | undefined, scope: Scope): SecondaryFilePattern | undefined {
  if (pattern === undefined) return undefined;
  const isOptional = pattern.endsWith("?") && isSince(scope, "v1.1");
  return isOptional ? { pattern: pattern.slice(0, -1), required: false } : { pattern };
}

const formatName: Reader<string> = (node, scope) => {
  const format = text(node, scope);
  return format === undefined || isExpression(format) ? format : expandPrefix(format, scope);
};

/** Format IRIs, with prefixes expanded; expressions stay unchanged. */
export const readFormat: Reader<readonly string[]> = oneOrList(formatName);

/** The one format of an output. */
export const readOutputFormat: Reader<readonly string[]> = (node, scope) => {
  const format = formatName(node, scope);
  return format === undefined ? undefined : [format];
};

function readPosition(...[node, scope]: Parameters<Reader<number | string>>): number | string | undefined {
  if (!isSince(scope, "v1.1") && node.kind === "scalar" && typeof node.value === "string") {
    return wrongKind(node, scope, "a whole number", "CWL v1.1 introduced expressions here");
  }
  return integerOrExpression(node, scope);
}
