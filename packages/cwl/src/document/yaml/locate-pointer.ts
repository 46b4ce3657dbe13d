import { QUOTE_HINT } from "../../check/check-type.ts";
import { nodeAtPointer } from "./node-at-pointer.ts";
import { parseYaml } from "./parse-yaml.ts";
import { SourceText } from "./source-text.ts";
import { positionOf, writtenNumber, type YamlNode } from "./yaml-node.ts";

export interface PointerPlace {
  /** Both count from 1; columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
}

interface Written {
  readonly message: string;
  readonly hint?: string;
}

/**
 * Adds a position to a problem: that of the value at its JSON pointer (RFC 6901, `/samples/0/bam`) in a YAML or JSON text,
 * or, if the value is missing, of the nearest enclosing value. Undefined for a text that is not YAML.
 */
export function locateProblem<P extends Written & { readonly pointer: string }>(
  text: string,
  problem: P,
): (P & PointerPlace) | undefined {
  const { root } = parseYaml(new SourceText("", text));
  if (root === undefined) return undefined;
  const node = nodeAtPointer(root, problem.pointer);
  const { line, column } = positionOf(node);
  return { ...asWritten(problem, node), line, column };
}

/** Replaces a number in a message with its spelling in the file: a message about `007` must not say 7. */
export function asWritten<P extends Written>(problem: P, node: YamlNode): P {
  const written = writtenNumber(node);
  if (node.kind !== "scalar" || written === undefined) return problem;
  const message = problem.message.replace(`the number ${node.value}`, `the number ${written}`);
  return problem.hint === QUOTE_HINT
    ? { ...problem, message, hint: `write it in quotes: "${written}"` }
    : { ...problem, message };
}
