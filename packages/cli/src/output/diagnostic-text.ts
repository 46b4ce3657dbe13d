import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";

/** A longer excerpt does not help, and packed documents have lines of several megabytes. */
const MAX_SHOWN = 120;

/** `file:line:column: error: message`, followed by the line with a caret if the text is available. */
export function diagnosticText(
  diagnostic: Diagnostic,
  sources: readonly { readonly uri: string; readonly text: string }[],
  cwd: string,
): string {
  const { file, line, column, severity, message, hint } = diagnostic;
  const head = `${shownPath(file, cwd)}:${line}:${column}: ${severity}: ${withPaths(message, cwd)}`;
  const text = sources.find((source) => source.uri === file)?.text.split(/\r\n|\n|\r/)[line - 1];
  const quoted = text === undefined || text.trim() === "" ? [] : quote(text, column);
  return [head, ...quoted, ...(hint === undefined ? [] : [`  hint: ${hint}`])].join("\n");
}

/** The part of a line around a column, and a caret below that column. */
function quote(line: string, column: number): readonly string[] {
  const start = line.length <= MAX_SHOWN ? 0 : Math.max(0, column - 1 - MAX_SHOWN / 2);
  const part = line.slice(start, start + MAX_SHOWN);
  const [before, after] = [start > 0 ? "…" : "", start + part.length < line.length ? "…" : ""];
  const shown = `${before}${part}${after}`.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ");
  return [`  ${shown}`, `  ${" ".repeat(before.length + column - 1 - start)}^`];
}

/** Path relative to the folder where the command was started, as the user named it; absolute for files elsewhere. */
export function shownPath(uri: string, cwd: string): string {
  if (!uri.startsWith("file:")) return uri;
  const path = fileURLToPath(uri.split("#")[0] ?? uri);
  const near = relative(cwd, path);
  return near === "" || near.startsWith("..") ? path : near;
}

function withPaths(message: string, cwd: string): string {
  return message.replaceAll(/file:\/\/\/[^\s`#]+/g, (uri) => (isPath(uri) ? shownPath(uri, cwd) : uri));
}

/** False for addresses that correspond to no path. */
function isPath(uri: string): boolean {
  return !/%2f|%00|%(?![0-9a-f]{2})/i.test(uri);
}
