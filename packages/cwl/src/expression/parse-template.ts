import { CwlFailure } from "../cwl-failure.ts";
import { findScriptEnd } from "./scan-script.ts";

/** A piece of a text that may hold expressions: literal text, `$(…)` or `${…}` without their brackets. */
export type TemplatePart = { readonly form: "text"; readonly text: string } | ScriptPart;

/** `start` is the offset of the code within the text. */
export interface ScriptPart {
  readonly form: "expression" | "body";
  readonly code: string;
  readonly start: number;
}

/** The rest of a text after an opening bracket that nothing closes; `start` is the offset of its dollar sign. */
export interface UnclosedPart {
  readonly form: "unclosed";
  readonly closing: ")" | "}";
  readonly start: number;
}

/** True if a text contains an expression; any other text is taken literally, including its backslashes. */
export function holdsExpression(text: string): boolean {
  return text.includes("$(") || text.includes("${");
}

/** The characters that a backslash escapes; `any` before v1.2, as in the reference runner. */
export type Escaping = "brackets" | "any";

/**
 * Splits a text into literals and expressions; `\$(`, `\${` and `\\` lose a backslash.
 * CWL v1.2 CommandLineTool.html#String_interpolation. Fails if an expression is not closed.
 */
export function parseTemplate(text: string, escaping: Escaping = "brackets"): readonly TemplatePart[] {
  return splitTemplate(text, escaping).map((part) => {
    if (part.form === "unclosed") throw unclosed(text, part);
    return part;
  });
}

/** Like `parseTemplate`, for a text that may be wrong: an expression that is not closed is the last part. */
export function splitTemplate(text: string, escaping: Escaping): readonly (TemplatePart | UnclosedPart)[] {
  const parts: (TemplatePart | UnclosedPart)[] = [];
  let literal = "";
  let index = 0;
  while (index < text.length) {
    const two = text.slice(index, index + 2);
    if (two === "$(" || two === "${") {
      if (literal !== "") parts.push({ form: "text", text: literal });
      literal = "";
      const [form, closing] = two === "$(" ? (["expression", ")"] as const) : (["body", "}"] as const);
      const end = findScriptEnd(text, index + 2, closing);
      if (end === undefined) return [...parts, { form: "unclosed", closing, start: index }];
      parts.push({ form, code: text.slice(index + 2, end), start: index + 2 });
      index = end + 1;
    } else {
      const taken = two.startsWith("\\") ? unescape(text, index, escaping) : { text: text.charAt(index), length: 1 };
      literal += taken.text;
      index += taken.length;
    }
  }
  if (literal !== "") parts.push({ form: "text", text: literal });
  return parts;
}

/** The failure for an expression that is not closed. */
export function unclosed(text: string, { closing, start }: UnclosedPart): CwlFailure {
  const shown = text.slice(start, start + 40).split("\n", 1)[0] ?? "";
  return new CwlFailure("EXPRESSION", `the expression that starts with \`${shown}\` is not closed by \`${closing}\``, {
    hint: "a dollar sign before a bracket that does not begin an expression is written `\\$`",
  });
}

/** Interprets the backslash at `index` by the two characters after it. */
function unescape(text: string, index: number, escaping: Escaping): { readonly text: string; readonly length: number } {
  const three = text.slice(index, index + 3);
  if (escaping === "any" && three.length > 1) return { text: three.charAt(1), length: 2 };
  if (three === "\\$(" || three === "\\${") return { text: three.slice(1), length: 3 };
  if (three.startsWith("\\\\")) return { text: "\\", length: 2 };
  return { text: "\\", length: 1 };
}
