import { splitTemplate, type Escaping, type ScriptPart } from "../parse-template.ts";
import { parseReference } from "../resolve-reference.ts";
import { segmentOffset } from "./check-text.ts";
import { parseScript, shiftOf } from "./parse-script.ts";
import { usesOf } from "./script-uses.ts";

/** The name of an input in an expression. */
export interface InputUse {
  readonly name: string;
  /** Offset of the name in the text's value. */
  readonly offset: number;
}

/** Every `inputs.name` and `inputs["name"]` in the expressions of a text. */
export function inputUses(text: string, escaping: Escaping): readonly InputUse[] {
  return splitTemplate(text, escaping).flatMap((part) =>
    part.form === "text" || part.form === "unclosed" ? [] : usesOfPart(part),
  );
}

function usesOfPart(part: ScriptPart): readonly InputUse[] {
  const reference = part.form === "expression" ? parseReference(part.code) : undefined;
  if (reference !== undefined) {
    const [root, name] = reference;
    if (root !== "inputs" || typeof name !== "string") return [];
    return [{ name, offset: part.start + segmentOffset(part.code, reference, 0) }];
  }
  const parsed = parseScript(part.code, part.form);
  if ("error" in parsed) return [];
  const shift = part.start - shiftOf(part.form);
  return usesOf(parsed.tree).members.flatMap(({ root, segments: [name], offsets: [at] }) => {
    if (root !== "inputs" || typeof name !== "string" || at === undefined) return [];
    const isQuoted = /["'`]/.test(part.code.charAt(at - shiftOf(part.form)));
    return [{ name, offset: shift + at + (isQuoted ? 1 : 0) }];
  });
}
