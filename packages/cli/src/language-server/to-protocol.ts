import type { Diagnostic as Finding } from "@weft/cwl/diagnostic.ts";
import type { CompletionItem as Suggestion } from "@weft/language/completion.ts";
import type { DocumentSymbol as Part } from "@weft/language/symbols.ts";
import type { TextEdit as Edit } from "@weft/language/text-range.ts";
import { CompletionItemKind, DiagnosticSeverity, SymbolKind } from "vscode-languageserver";
import type { CompletionItem, Diagnostic, DocumentSymbol, WorkspaceEdit } from "vscode-languageserver";

/** A finding from its position to the end of the word there. */
export function toDiagnostic({ severity, code, message, hint, line, column }: Finding, text: string): Diagnostic {
  const row = text.split(/\r\n|\n|\r/, line)[line - 1] ?? "";
  const word = /^[\w$.\-/]+/.exec(row.slice(column - 1))?.[0] ?? row.charAt(column - 1);
  const start = { line: line - 1, character: column - 1 };
  return {
    range: { start, end: { ...start, character: start.character + word.length } },
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: "weft",
    message: hint === undefined ? message : `${message}\n${hint}`,
  };
}

const COMPLETION_KINDS: { readonly [kind in Suggestion["kind"]]: CompletionItemKind } = {
  field: CompletionItemKind.Field,
  class: CompletionItemKind.Class,
  type: CompletionItemKind.TypeParameter,
  value: CompletionItemKind.Value,
  source: CompletionItemKind.Reference,
  file: CompletionItemKind.File,
  name: CompletionItemKind.Variable,
};

/** Keeps suggestions in the order in which they were found. */
export function toCompletionItem({ label, kind, detail, insertText }: Suggestion, index: number): CompletionItem {
  return { label, kind: COMPLETION_KINDS[kind], detail, insertText, sortText: String(index).padStart(5, "0") };
}

const SYMBOL_KINDS: { readonly [kind in Part["kind"]]: SymbolKind } = {
  process: SymbolKind.Module,
  input: SymbolKind.Variable,
  output: SymbolKind.Field,
  step: SymbolKind.Function,
};

export function toSymbol({ name, kind, detail, range, children }: Part): DocumentSymbol {
  const { start, end } = range;
  const own = { start, end };
  return { name, kind: SYMBOL_KINDS[kind], detail, range: own, selectionRange: own, children: children.map(toSymbol) };
}

export function toWorkspaceEdit(edits: readonly Edit[]): WorkspaceEdit {
  const byFile = Map.groupBy(edits, ({ range }) => range.uri);
  const changes = [...byFile].map(([uri, all]) => [
    uri,
    all.map(({ range: { start, end }, newText }) => ({ range: { start, end }, newText })),
  ]);
  return { changes: Object.fromEntries(changes) };
}
