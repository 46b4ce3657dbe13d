import { holdsExpression } from "../../expression/parse-template.ts";
import type { InputBinding, LoadListing, OutputBinding, SecondaryFilePattern } from "../../model/binding.ts";
import { mapOf, oneOrList } from "../fields/collection-readers.ts";
import { expandPrefix } from "../fields/extension-field.ts";
import { shaped } from "../fields/field-info.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { boolean, booleanOrExpression, integerOrExpression, text, word, wrongKind } from "../fields/scalar-readers.ts";
import { isSince, readFrom, report, type Reader, type Scope } from "../fields/scope.ts";
import type { MappingNode } from "../yaml/yaml-node.ts";

export const loadListing: Reader<LoadListing> = word("no_listing", "shallow_listing", "deep_listing");

const LOAD_CONTENTS = { doc: "Makes the first 64 KiB of a File available as `contents`.", default: "false" };

/** Contents and listings that expressions see. */
export const LOADING = {
  loadContents: optional(boolean, { since: "v1.1", ...LOAD_CONTENTS }),
  loadListing: optional(loadListing, "How much of a Directory expressions see as `listing`.", {
    since: "v1.1",
    default: "no_listing",
  }),
};

export const INPUT_BINDING = {
  loadContents: optional(boolean, LOAD_CONTENTS),
  position: optional(readPosition, "Where the argument is among the others; lower comes first.", {
    type: "integer or expression",
    default: "0",
  }),
  prefix: optional(text, "The flag before the value."),
  separate: optional(boolean, "The prefix is an argument of its own.", { default: "true" }),
  itemSeparator: optional(text, "Joins the elements of a list into one argument."),
  valueFrom: optional(text, "Replaces the value; `self` is the value itself.", { type: "text or expression" }),
  shellQuote: optional(boolean, "Protects the argument from the shell, if there is one.", { default: "true" }),
};

export const OUTPUT_BINDING = {
  glob: optional(oneOrList(text), "Which files in the output folder belong to the output.", {
    type: "pattern or list",
  }),
  loadContents: optional(boolean, LOAD_CONTENTS),
  loadListing: LOADING.loadListing,
  outputEval: optional(text, "Computes the value; `self` is the list of files that `glob` found.", {
    type: "expression",
  }),
};

export const SECONDARY_FILE = {
  pattern: required(text, "The name, relative to that of the File.", { type: "pattern or expression" }),
  required: optional(booleanOrExpression, "Whether the file must exist."),
};

/** An input binding, and the `loadContents` that v1.0 put into it. */
export interface ReadInputBinding {
  readonly binding: InputBinding;
  readonly loadContents: boolean;
}

/** CWL v1.2 CommandLineTool.html#CommandLineBinding. */
export const readInputBinding: Reader<ReadInputBinding> = shaped(
  { type: "binding", of: "inputBinding", doc: "How the value gets onto the command line." },
  mapOf("an input binding", (node: MappingNode, scope: Scope) => {
    const {
      loadContents = false,
      separate = true,
      shellQuote = true,
      ...rest
    } = readFields(node, INPUT_BINDING, scope);
    return { binding: readFrom(node, omitUndefined({ ...rest, separate, shellQuote }), scope), loadContents };
  }),
);

const CONTENTS_BINDING = { loadContents: INPUT_BINDING.loadContents };

/**
 * The binding of an input that never reaches a command line: only its `loadContents` has an effect, and since v1.1 no
 * other field is allowed.
 */
export const readContentsBinding: Reader<boolean> = shaped(
  { type: "binding", of: "inputBinding" },
  mapOf("an input binding", (node: MappingNode, scope: Scope) => {
    const values = readFields(node, isSince(scope, "v1.1") ? CONTENTS_BINDING : INPUT_BINDING, scope);
    return values.loadContents ?? false;
  }),
);

/** CWL v1.2 CommandLineTool.html#CommandOutputBinding. */
export const readOutputBinding: Reader<OutputBinding> = shaped(
  { type: "binding", of: "outputBinding", doc: "How to find the value after the job." },
  mapOf("an output binding", (node: MappingNode, scope: Scope) => {
    const { loadContents = false, ...rest } = readFields(node, OUTPUT_BINDING, scope);
    return readFrom(node, omitUndefined({ ...rest, loadContents }), scope);
  }),
);

/** CWL v1.2 CommandLineTool.html#SecondaryFileSchema; the shorthand `.bai?` exists since v1.1. */
export const readSecondaryFiles: Reader<readonly SecondaryFilePattern[]> = shaped(
  {
    type: "pattern or list",
    of: "secondaryFile",
    doc: "Files that belong to a File, such as `.bai`; `^` removes an extension.",
  },
  oneOrList((node, scope): SecondaryFilePattern | undefined => {
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
  }),
);

function readPattern(pattern: string | undefined, scope: Scope): SecondaryFilePattern | undefined {
  if (pattern === undefined) return undefined;
  const isOptional = pattern.endsWith("?") && isSince(scope, "v1.1");
  return isOptional ? { pattern: pattern.slice(0, -1), required: false } : { pattern };
}

const FORMAT = {
  doc: "The format of Files, as a term of an ontology.",
  type: "IRI or expression",
  value: "format",
} as const;

const formatName: Reader<string> = (node, scope) => {
  const format = text(node, scope);
  return format === undefined || holdsExpression(format) ? format : expandPrefix(format, scope);
};

/** Format IRIs, with prefixes expanded; expressions stay unchanged. */
export const readFormat: Reader<readonly string[]> = shaped(FORMAT, oneOrList(formatName));

/** The one format of an output. */
export const readOutputFormat: Reader<readonly string[]> = shaped(FORMAT, (node, scope) => {
  const format = formatName(node, scope);
  return format === undefined ? undefined : [format];
});

function readPosition(...[node, scope]: Parameters<Reader<number | string>>): number | string | undefined {
  if (!isSince(scope, "v1.1") && node.kind === "scalar" && typeof node.value === "string") {
    return wrongKind(node, scope, "a whole number", "CWL v1.1 introduced expressions here");
  }
  return integerOrExpression(node, scope);
}
