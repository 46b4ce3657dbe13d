import { isObject, fieldOf } from "../values/value-kind.ts";
import type { CwlObject } from "../model/cwl-value.ts";

/**
 * The variables that a script sees, reduced to those whose names occur in its texts. If every use of `inputs` has the
 * form `inputs.name` or `inputs["name"]`, only those inputs are kept: large input objects make scripts slow to start.
 */
export function selectVariables(texts: readonly string[], variables: CwlObject): CwlObject {
  const code = texts.join("\n");
  const used = Object.entries(variables).filter(([name]) => new RegExp(`\\b${name}\\b`).test(code));
  return Object.fromEntries(
    used.map(([name, value]) => [name, name === "inputs" && isObject(value) ? usedInputs(code, value) : value]),
  );
}

const USE = /(?<![.\w$])inputs\s*(?:\.\s*([A-Za-z_$][\w$]*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\])/g;

function usedInputs(code: string, inputs: CwlObject): CwlObject {
  // A script that could build names at run time gets all inputs.
  if (/\b(?:eval|Function|with|this|globalThis)\b|\\u/.test(code)) return inputs;
  const uses = code.match(/\binputs\b/g)?.length ?? 0;
  const names = [...code.matchAll(USE)].map(([, name, single, double]) => name ?? single ?? double ?? "");
  if (names.length !== uses) return inputs;
  const kept = [...new Set(names)].flatMap((name) => {
    const value = fieldOf(inputs, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}
