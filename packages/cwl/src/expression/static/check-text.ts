/**
 * Checks the expressions of one string before they are evaluated. An error means that the string can never be evaluated. A
 * warning may be a false alarm, because only a run shows what a script does.
 */
import type { Severity } from "../../diagnostic.ts";
import { suggestionHint } from "../../suggest.ts";
import { needsJavascript } from "../evaluate.ts";
import { splitTemplate, unclosed, type Escaping, type ScriptPart } from "../parse-template.ts";
import { parseReference, type Reference } from "../resolve-reference.ts";
import { parseScript, shiftOf } from "./parse-script.ts";
import { SCRIPT_GLOBALS } from "./script-globals.ts";
import { usesOf, type MemberUse, type ScriptUses } from "./script-uses.ts";
import { lookUp, type LookupProblem, type StaticNames } from "./static-value.ts";

export interface TextProblem {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Offset in the text's value. */
  readonly offset: number;
}

export interface TextScope {
  readonly names: StaticNames;
  readonly escaping: Escaping;
  /** The texts of expressionLib; undefined if JavaScript is not in effect. */
  readonly library: readonly string[] | undefined;
}

export function checkText(text: string, scope: TextScope): readonly TextProblem[] {
  return splitTemplate(text, scope.escaping).flatMap((part): readonly TextProblem[] => {
    if (part.form === "text") return [];
    if (part.form !== "unclosed") return checkPart(part, scope);
    const { message, hint } = unclosed(text, part);
    return [{ severity: "error", code: "unclosed-expression", message, hint, offset: part.start }];
  });
}

function checkPart(part: ScriptPart, scope: TextScope): readonly TextProblem[] {
  const reference = part.form === "expression" ? parseReference(part.code) : undefined;
  if (reference !== undefined && isKnownRoot(reference[0])) return checkReference(reference, part, scope);
  if (reference?.[0] === "null" && reference.length === 1) return [];
  if (scope.library !== undefined) return checkScript(part, scope);
  const [root] = reference ?? [];
  return [root === undefined || /^\d|^(true|false)$/.test(root) ? scriptNeeded(part) : unknownRoot(root, part)];
}

const ROOTS = ["inputs", "self", "runtime"] as const;

function isKnownRoot(name: string): name is (typeof ROOTS)[number] {
  return ROOTS.some((root) => root === name);
}

function scriptNeeded(part: ScriptPart): TextProblem {
  const { message, hint } = needsJavascript(part);
  return { severity: "error", code: "javascript-needed", message, hint, offset: part.start - 2 };
}

function unknownRoot(root: string, part: ScriptPart): TextProblem {
  const message = `\`${root}\` is not known here; an expression can use \`inputs\`, \`self\` and \`runtime\``;
  const hint = suggestionHint(root, ROOTS);
  return { severity: "error", code: "unknown-reference", message, hint, offset: part.start + leading(part.code) };
}

function leading(code: string): number {
  return code.length - code.trimStart().length;
}

function checkReference(reference: Reference, part: ScriptPart, scope: TextScope): readonly TextProblem[] {
  const [root, ...segments] = reference;
  const found = isKnownRoot(root) ? lookUp(scope.names[root], root, segments) : undefined;
  if (found === undefined || !("message" in found)) return [];
  const offset = part.start + segmentOffset(part.code, reference, found.found);
  if (found.needsScript) return scope.library === undefined ? [scriptNeeded(part)] : [];
  return [lookupProblem(found, offset, found.mayExist ? "warning" : "error")];
}

/** Missing `contents` are only a warning, because a file literal has them without being loaded. */
function lookupProblem({ code, message, hint }: LookupProblem, offset: number, severity: Severity): TextProblem {
  return { severity: code === "contents-not-loaded" ? "warning" : severity, code, message, hint, offset };
}

/** The offset of the segment with this index. */
export function segmentOffset(code: string, reference: Reference, number: number): number {
  let at = code.indexOf(reference[0]) + reference[0].length;
  for (const [index, segment] of reference.slice(1).entries()) {
    const found = code.indexOf(String(segment).slice(0, 1), at);
    if (found === -1) return at;
    if (index === number) return found;
    at = found + String(segment).length;
  }
  return at;
}

function checkScript(part: ScriptPart, scope: TextScope): readonly TextProblem[] {
  const parsed = parseScript(part.code, part.form);
  if ("error" in parsed) {
    const { message, offset } = parsed.error;
    const hint = syntaxHint(part, message);
    const text = `this is not valid JavaScript: ${message}`;
    return [{ severity: "error", code: "javascript-syntax", message: text, hint, offset: part.start + offset }];
  }
  const uses = usesOf(parsed.tree);
  const shift = part.start - shiftOf(part.form);
  const empty = part.form === "body" && !uses.returns ? [noResult(part)] : [];
  return [
    ...empty,
    ...checkNames(uses, shift, scope),
    ...uses.members.flatMap((use) => checkMember(use, uses, shift, scope)),
  ];
}

function syntaxHint({ form, code }: ScriptPart, message: string): string | undefined {
  if (form === "expression" && /^\s*(return|var|let|const|if|for|while|throw)\b/.test(code))
    return "`$(…)` contains one expression; write statements as `${…}`";
  if (form === "expression" && /;\s*$/.test(code))
    return "remove the semicolon, because `$(…)` contains one expression";
  if (code.trim() === "") return "write an expression, or `\\$` if no expression is meant";
  return message === "the code ends too early" ? "something is missing at the end" : SYNTAX_HINT;
}

const SYNTAX_HINT = "the error is here or just before; the code is read as strict JavaScript";

function noResult({ code, start }: ScriptPart): TextProblem {
  const message = "the code never returns a value, so the result is `undefined`";
  const isShell = /^\s*\w+\s*$/.test(code);
  const hint = isShell
    ? "add `return`, or write `\\${` where a shell variable is meant"
    : "add `return` before the result";
  return { severity: "error", code: "no-result", message, hint, offset: start - 2 };
}

function checkNames({ names }: ScriptUses, shift: number, { library = [] }: TextScope): readonly TextProblem[] {
  const unknown = names.filter(
    ({ name }) => !isKnownRoot(name) && !SCRIPT_GLOBALS.has(name) && !library.some((text) => hasWord(text, name)),
  );
  const first = new Map(unknown.toReversed().map((use) => [use.name, use]));
  return [...first.values()].toReversed().map(({ name, offset }) => ({
    severity: "warning",
    code: "unknown-name",
    message: `the script uses \`${name}\`, which nothing declares`,
    hint: didYouMean(name, [...ROOTS, ...SCRIPT_GLOBALS]) ?? "declare it in the script or in `expressionLib`",
    offset: shift + offset,
  }));
}

function didYouMean(name: string, candidates: readonly string[]): string | undefined {
  const hint = suggestionHint(name, candidates);
  return hint?.startsWith("did you mean") === true ? hint : undefined;
}

/** True if the text contains the name as a word: a library may declare names in ways that the parser does not find. */
function hasWord(text: string, name: string): boolean {
  let at = text.indexOf(name);
  while (at !== -1) {
    const isWord = !/[\w$]/.test(text.charAt(at - 1)) && !/[\w$]/.test(text.charAt(at + name.length));
    if (isWord) return true;
    at = text.indexOf(name, at + 1);
  }
  return false;
}

function checkMember(use: MemberUse, uses: ScriptUses, shift: number, scope: TextScope): readonly TextProblem[] {
  const { root, segments, offsets } = use;
  if (!isKnownRoot(root)) return [];
  const found = lookUp(scope.names[root], root, segments);
  if (!("message" in found) || found.needsScript || isOfScript(found, use, scope)) return [];
  const segment = segments[found.found];
  if (uses.texts.has(String(segment)) || isTestedBefore(use, found.found, uses)) return [];
  return [lookupProblem(found, shift + (offsets[found.found] ?? use.offset), "warning")];
}

/** True for members that exist only in JavaScript: those of lists, strings, numbers and `Object.prototype`. */
function isOfScript({ found }: LookupProblem, { root, segments }: MemberUse, { names }: TextScope): boolean {
  if (Object.hasOwn(Object.prototype, String(segments[found]))) return true;
  const owner = isKnownRoot(root) ? lookUp(names[root], root, segments.slice(0, found)) : undefined;
  if (owner === undefined || "message" in owner) return true;
  const { type } = owner;
  if (type.kind === "array") return !looksLikeItemField(owner.type, segments[found]);
  const kinds = type.kind === "union" ? type.options.map(({ kind }) => kind) : [type.kind];
  return !kinds.every((kind) => ["record", "File", "Directory", "null"].includes(kind));
}

/** True if only the elements of a list have a member, as in `self.basename` for a list of Files. */
function looksLikeItemField(type: StaticNames["self"]["type"], segment: string | number | undefined): boolean {
  if (type.kind !== "array" || typeof segment !== "string" || segment in Array.prototype) return false;
  const found = lookUp({ type: type.items, hasContents: true }, "", [segment]);
  return type.items.kind !== "Any" && !("message" in found);
}

function isTestedBefore({ root, segments }: MemberUse, found: number, { tested }: ScriptUses): boolean {
  return tested.has([root, ...segments.slice(0, found + 1)].join("."));
}

/** The problems of a text in `expressionLib`. */
export function checkLibrary(text: string): readonly TextProblem[] {
  const parsed = parseScript(text, "library");
  if (!("error" in parsed)) return [];
  const message = `this is not valid JavaScript: ${parsed.error.message}`;
  return [{ severity: "error", code: "javascript-syntax", message, hint: SYNTAX_HINT, offset: parsed.error.offset }];
}
