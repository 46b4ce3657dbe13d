/** Edits that carry out the hint of a diagnostic. Hints that need a person's decision have no quick fix. */
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import { SourceText } from "@weft/cwl/document/yaml/source-text.ts";
import { entryOf, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import { editorPosition, offsetAt, type TextEdit } from "./text-range.ts";
import type { Analysis } from "./analysis.ts";
import { insertRequirement } from "./insert-requirement.ts";

export interface QuickFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** The maximum number of suggestions for one word. */
const MAX_WORDS = 8;

export function fixesFor(diagnostic: Diagnostic, analysis: Analysis): readonly QuickFix[] {
  const { hint, file } = diagnostic;
  if (hint === undefined || file !== analysis.uri) return [];
  const at = offsetAt(analysis.text, { line: diagnostic.line - 1, character: diagnostic.column - 1 });
  const words =
    /^(?:did you mean|expected) `([^`]+)`/.exec(hint)?.slice(1) ??
    /^expected one of (.+)$/.exec(hint)?.[1]?.split(", ") ??
    [];
  if (words.length > 0) return words.slice(0, MAX_WORDS).flatMap((word) => replaceWord(word, diagnostic, analysis, at));
  return RULES.flatMap(({ pattern, fix }) => {
    const match = pattern.exec(hint);
    return match === null ? [] : fix({ match, diagnostic, analysis, at });
  });
}

interface Case {
  readonly match: RegExpExecArray;
  readonly diagnostic: Diagnostic;
  readonly analysis: Analysis;
  /** Offset of the diagnostic. */
  readonly at: number;
}

interface Rule {
  readonly pattern: RegExp;
  readonly fix: (found: Case) => readonly QuickFix[];
}

/** Replaces the word that the message quotes, at its position in the text. */
function replaceWord(word: string, { message }: Diagnostic, analysis: Analysis, at: number): readonly QuickFix[] {
  const rest = analysis.text.slice(at);
  const quoted = [...message.matchAll(/[`"]([^`"]+)[`"]/g)].map(([, found]) => found ?? "");
  const near = quoted.filter((name) => rest.slice(0, name.length + 1).includes(name));
  const old =
    near.at(-1) ?? quoted.toReversed().find((name) => firstLines(rest).includes(name)) ?? /^[\w.$/#-]+/.exec(rest)?.[0];
  if (old === undefined || old === word) return [];
  const start = at + rest.indexOf(old);
  return [{ title: `Replace with \`${word}\``, edits: [edit(analysis, start, start + old.length, word)] }];
}

function firstLines(text: string): string {
  return text.split("\n", 5).join("\n");
}

function edit({ uri, root, text }: Analysis, start: number, end: number, newText: string): TextEdit {
  const source = root?.source ?? new SourceText(uri, text);
  return { range: { uri, start: editorPosition(source, start), end: editorPosition(source, end) }, newText };
}

const one = (title: string, edits: readonly TextEdit[]): readonly QuickFix[] =>
  edits.length === 0 ? [] : [{ title, edits }];

const RULES: readonly Rule[] = [
  {
    pattern: /^add `(\w+Requirement): \{\}` to the requirements/,
    fix: ({ match: [, name = ""], analysis, at }) => one(`Add ${name}`, addRequirement(name, analysis, at)),
  },
  {
    pattern: /(?:write|is written) `\\\$(?:\{)?`/,
    fix: ({ analysis, at }) =>
      one(
        "Escape the dollar sign",
        analysis.text.charAt(at) === "$" ? [edit(analysis, at, at, escapeAt(analysis.text, at))] : [],
      ),
  },
  {
    pattern: /^take an element first: `([^`]+)`/,
    fix: ({ match: [, path = ""], analysis, at }) => {
      const before = /[\w.[\]]*$/.exec(analysis.text.slice(0, at))?.[0] ?? "";
      const after = /^\w+/.exec(analysis.text.slice(at))?.[0] ?? "";
      return one(`Write \`${path}\``, [edit(analysis, at - before.length, at + after.length, path)]);
    },
  },
  {
    pattern: /^use `([^`]+)` itself/,
    fix: ({ match: [, path = ""], analysis, at }) => {
      const after = /^[\w'"\]]+/.exec(analysis.text.slice(at))?.[0] ?? "";
      const dot = analysis.text.slice(0, at).search(/(\.|\[['"]?)$/);
      return one(`Write \`${path}\``, dot === -1 ? [] : [edit(analysis, dot, at + after.length, "")]);
    },
  },
  {
    pattern: /^remove the semicolon/,
    fix: ({ analysis, at }) =>
      one("Remove the semicolon", analysis.text.charAt(at) === ";" ? [edit(analysis, at, at + 1, "")] : []),
  },
  {
    pattern: /^add `return`/,
    fix: ({ analysis, at }) =>
      one("Add `return`", analysis.text.startsWith("${", at) ? [edit(analysis, at + 2, at + 2, " return")] : []),
  },
  {
    pattern: /write statements as `\$\{…\}`/,
    fix: ({ analysis, at }) => one("Write a function body", asBody(analysis, at)),
  },
  {
    pattern: /^add `(cwlVersion: v[\d.]+)`/,
    fix: ({ match: [, line = ""], analysis, at }) => one(`Add \`${line}\``, [edit(analysis, at, at, `${line}\n`)]),
  },
  {
    pattern: /write `cwlVersion: (v[\w.-]+)`/,
    fix: ({ match: [, version = ""], analysis }) =>
      one(`Change the version to ${version}`, setVersion(version, analysis)),
  },
  {
    pattern: /^write `(true|false|\[\]|v[\d.]+)`/,
    fix: ({ match: [, word = ""], analysis, at }) => {
      const old = /^("[^"]*"|'[^']*'|[^\s,}\]#]*)/.exec(analysis.text.slice(at))?.[0] ?? "";
      return one(`Write \`${word}\``, [edit(analysis, at, at + old.length, old === "" ? ` ${word}` : word)]);
    },
  },
  {
    pattern: /(?:in quotation marks|in quotes|needs quotation marks)/,
    fix: ({ analysis, at }) => {
      const old = /^[^\n#]*?(?=\s*(?:[,}\]]|#|\n|$))/.exec(analysis.text.slice(at))?.[0] ?? "";
      return one(
        "Put it in quotation marks",
        old === "" || /^["']/.test(old) ? [] : [edit(analysis, at, at + old.length, JSON.stringify(old))],
      );
    },
  },
  {
    pattern: /^add `(\w+)` to \$namespaces/,
    fix: ({ match: [, prefix = ""], analysis }) =>
      one(`Declare the prefix \`${prefix}\``, addNamespace(prefix, analysis)),
  },
  {
    pattern: /^`scatterMethod: dotproduct`/,
    fix: ({ analysis, at }) =>
      one("Add `scatterMethod: dotproduct`", addLineBefore("scatterMethod: dotproduct", "scatter", analysis, at)),
  },
  {
    pattern: /^add `loadContents: true` to/,
    fix: ({ diagnostic, analysis }) => one("Load the contents", loadContents(diagnostic, analysis)),
  },
  {
    pattern: /linkMerge: merge_nested/,
    fix: ({ analysis, at }) => {
      const source = /^[\w./#-]+/.exec(analysis.text.slice(at))?.[0];
      const isShort = source !== undefined && !/source:\s*$/i.test(analysis.text.slice(0, at));
      return one(
        "Make a list of the source",
        isShort ? [edit(analysis, at, at + source.length, `{source: [${source}], linkMerge: merge_nested}`)] : [],
      );
    },
  },
  {
    pattern: /indent with spaces/,
    fix: ({ analysis }) => {
      const tabs = [...analysis.text.matchAll(/^[ ]*\t[\t ]*/gm)];
      return one(
        "Indent with spaces",
        tabs.map(({ index, 0: found }) => edit(analysis, index, index + found.length, found.replaceAll("\t", "  "))),
      );
    },
  },
];

/** Doubles the backslash in double quotes, where YAML interprets backslashes. */
function escapeAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return (line.match(/"/g)?.length ?? 0) % 2 === 1 ? "\\\\" : "\\";
}

function asBody(analysis: Analysis, at: number): readonly TextEdit[] {
  const open = analysis.text.lastIndexOf("$(", at);
  const close = analysis.text.indexOf(")", at);
  const line = analysis.text.indexOf("\n", at);
  const last = close === -1 ? -1 : analysis.text.lastIndexOf(")", line === -1 ? analysis.text.length : line);
  return open === -1 || last === -1 ? [] : [edit(analysis, open, open + 2, "${"), edit(analysis, last, last + 1, "}")];
}

/** Adds a requirement to the process that contains an offset. */
function addRequirement(name: string, analysis: Analysis, at: number): readonly TextEdit[] {
  const process = analysis.root === undefined ? undefined : enclosingProcess(analysis.root, at);
  if (process?.kind !== "mapping") return [];
  const inserted = insertRequirement(process, { field: "requirements", name, body: "{}" });
  return inserted === undefined ? [] : [edit(analysis, inserted.offset, inserted.offset, inserted.text)];
}

/** The innermost process that begins before an offset and has a class. */
function enclosingProcess(node: YamlNode, at: number): YamlNode | undefined {
  if (node.kind === "scalar") return undefined;
  const children = node.kind === "sequence" ? node.items : node.entries.map(({ value }) => value);
  const containing = children.findLast((child) => child.source === node.source && child.offset <= at);
  const inner = containing === undefined ? undefined : enclosingProcess(containing, at);
  if (inner !== undefined) return inner;
  const name = node.kind === "mapping" ? entryOf(node, "class")?.value : undefined;
  return name?.kind === "scalar" && PROCESSES.has(String(name.value)) ? node : undefined;
}

const PROCESSES = new Set(["CommandLineTool", "ExpressionTool", "Workflow", "Operation"]);

function setVersion(version: string, analysis: Analysis): readonly TextEdit[] {
  const { root } = analysis;
  const written = root?.kind === "mapping" ? entryOf(root, "cwlVersion")?.value : undefined;
  return written?.kind === "scalar" ? [edit(analysis, written.offset, written.end, version)] : [];
}

function addNamespace(prefix: string, analysis: Analysis): readonly TextEdit[] {
  const { root } = analysis;
  const declared = root?.kind === "mapping" ? entryOf(root, "$namespaces")?.value : undefined;
  const address = KNOWN_PREFIXES.get(prefix) ?? `https://example.org/${prefix}#`;
  if (declared?.kind === "mapping" && analysis.text.charAt(declared.offset) !== "{") {
    const indent = " ".repeat(declared.source.positionAt(declared.offset).column - 1);
    return [edit(analysis, declared.offset, declared.offset, `${prefix}: ${address}\n${indent}`)];
  }
  if (declared !== undefined) return [];
  const end = analysis.text.length;
  const before = analysis.text.endsWith("\n") ? "" : "\n";
  return [edit(analysis, end, end, `${before}$namespaces:\n  ${prefix}: ${address}\n`)];
}

const KNOWN_PREFIXES = new Map([
  ["edam", "http://edamontology.org/"],
  ["s", "https://schema.org/"],
  ["cwltool", "http://commonwl.org/cwltool#"],
]);

/** Adds a line to the object that has a field, before that field. */
function addLineBefore(line: string, field: string, { text, ...analysis }: Analysis, at: number): readonly TextEdit[] {
  const start = text.lastIndexOf(`${field}:`, at);
  if (start === -1) return [];
  const indent = /[ ]*$/.exec(text.slice(0, start))?.[0] ?? "";
  const isFlow = text.slice(text.lastIndexOf("\n", start) + 1, start).trim() !== "";
  return [edit({ text, ...analysis }, start, start, isFlow ? `${line}, ` : `${line}\n${indent}`)];
}

/** Adds `loadContents: true` to the input, or to the outputBinding, that a message names. */
function loadContents({ message, line, column }: Diagnostic, analysis: Analysis): readonly TextEdit[] {
  const input = /`inputs\.([\w-]+)/.exec(message)?.[1];
  const at = offsetAt(analysis.text, { line: line - 1, character: column - 1 });
  if (input === undefined) return addLineBefore("loadContents: true", "outputEval", analysis, at);
  const process = analysis.root === undefined ? undefined : enclosingProcess(analysis.root, at);
  const inputs = process?.kind === "mapping" ? entryOf(process, "inputs")?.value : undefined;
  const entry = inputs?.kind === "mapping" ? entryOf(inputs, input) : undefined;
  if (entry === undefined) return [];
  const { value } = entry;
  if (value.kind === "scalar")
    return [edit(analysis, value.offset, value.end, `{type: ${String(value.value)}, loadContents: true}`)];
  if (value.kind !== "mapping") return [];
  const isFlow = analysis.text.charAt(value.offset) === "{";
  const indent = " ".repeat(value.source.positionAt(value.offset).column - 1);
  const start = value.offset + (isFlow ? 1 : 0);
  return [edit(analysis, start, start, isFlow ? "loadContents: true, " : `loadContents: true\n${indent}`)];
}
