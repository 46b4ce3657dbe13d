import { fileURLToPath } from "node:url";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";

/** `file:line:column: error: message`, and below it the line with a caret where the text is at hand. */
export function diagnosticText(
  diagnostic: Diagnostic,
  sources: readonly { readonly uri: string; readonly text: string }[],
): string {
  const { file, line, column, severity, message, hint } = diagnostic;
  const head = `${pathOf(file)}:${line}:${column}: ${severity}: ${message}`;
  const shown = sources.find((source) => source.uri === file)?.text.split("\n")[line - 1];
  const quoted =
    shown === undefined || shown.trim() === ""
      ? []
      : [`  ${shown.replaceAll("\t", " ")}`, `  ${" ".repeat(column - 1)}^`];
  return [head, ...quoted, ...(hint === undefined ? [] : [`  hint: ${hint}`])].join("\n");
}

export function pathOf(uri: string): string {
  return uri.startsWith("file:") ? fileURLToPath(uri.split("#")[0] ?? uri) : uri;
}
