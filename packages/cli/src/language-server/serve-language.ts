/**
 * `weft lsp`: @weft/language behind the Language Server Protocol. That package knows nothing about files;
 * this server reads them, and prefers the text that is open in the editor.
 */
import { analyze, type Analysis } from "@weft/language/analysis.ts";
import { completionsAt, type CompletionItem as Suggestion } from "@weft/language/completion.ts";
import { fixesFor } from "@weft/language/fixes.ts";
import { formatDocument } from "@weft/language/format.ts";
import { hoverAt } from "@weft/language/hover.ts";
import { definitionAt, referencesAt, renamableAt, renameAt } from "@weft/language/navigate.ts";
import { symbolsIn, type DocumentSymbol as Part } from "@weft/language/symbols.ts";
import type { EditorPosition, TextEdit as Edit } from "@weft/language/text-range.ts";
import {
  CodeActionKind,
  CompletionItemKind,
  DiagnosticSeverity,
  ErrorCodes,
  ResponseError,
  SymbolKind,
  TextDocuments,
  TextDocumentSyncKind,
} from "vscode-languageserver";
import type * as Protocol from "vscode-languageserver";
import { createConnection } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { EXIT } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Diagnostic as Finding } from "@weft/cwl/diagnostic.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";

const CAPABILITIES: Protocol.InitializeResult = {
  serverInfo: { name: "weft" },
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: [".", ":", " ", "(", "{", "/", "["] },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    documentFormattingProvider: true,
  },
};

/** Serves one editor on standard input and output, until it sends `exit` or closes them. */
export async function lspCommand({ io: { stdin, stdout } }: Settings): Promise<number> {
  const connection = createConnection(stdin, stdout);
  const server = new LanguageServer(connection);
  const ended = new Promise<void>((resolve) => stdin.once("close", resolve));
  server.listen();
  await ended;
  return EXIT.success;
}

interface At {
  readonly textDocument: { readonly uri: string };
  readonly position: EditorPosition;
}

class LanguageServer {
  readonly #connection: ReturnType<typeof createConnection>;
  readonly #open = new TextDocuments(TextDocument);
  readonly #reader = editorReader(this.#open);
  /** Parsed texts of all documents, so that only changed documents are parsed again. */
  readonly #parsed = new Map();
  #folders: readonly string[] = [];
  #isCheckDue = false;

  constructor(connection: ReturnType<typeof createConnection>) {
    this.#connection = connection;
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize(({ workspaceFolders, rootUri }) => {
      this.#folders = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
      return CAPABILITIES;
    });
    this.#handleQueries();
    this.#handleEdits();
    this.#open.onDidChangeContent(() => this.#check());
    this.#open.onDidClose(({ document }) => void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }));
    connection.onDidChangeWatchedFiles(() => this.#check());
    this.#open.listen(connection);
    connection.listen();
  }

  #handleQueries(): void {
    const connection = this.#connection;
    connection.onCompletion(async ({ textDocument: { uri }, position }) => {
      const documents = await findDocuments(this.#folders);
      const found = await completionsAt(uri, position, { reader: this.#reader, parsed: this.#parsed, documents });
      return found.map(toCompletionItem);
    });
    connection.onHover(async ({ textDocument, position }) => {
      const value = hoverAt(await this.#analyze(textDocument.uri), position);
      return value === undefined ? null : { contents: { kind: "markdown", value } };
    });
    connection.onDefinition(async ({ textDocument, position }) =>
      definitionAt(await this.#analyze(textDocument.uri), position).map(({ uri, ...range }) => ({ uri, range })),
    );
    connection.onReferences(async (at) => {
      const found = referencesAt(await this.#analyze(at.textDocument.uri), at.position, await this.#others(at));
      const references = found.filter(({ isDefinition }) => at.context.includeDeclaration || !isDefinition);
      return references.map(({ range: { uri, ...range } }) => ({ uri, range }));
    });
    connection.onDocumentSymbol(async ({ textDocument }) =>
      symbolsIn(await this.#analyze(textDocument.uri)).map(toSymbol),
    );
  }

  #handleEdits(): void {
    const connection = this.#connection;
    connection.onPrepareRename(async ({ textDocument, position }) => {
      const found = renamableAt(await this.#analyze(textDocument.uri), position);
      if (found === undefined) return null;
      const { start, end } = found.range;
      return { range: { start, end }, placeholder: found.name };
    });
    connection.onRenameRequest(async (at) => {
      const analysis = await this.#analyze(at.textDocument.uri);
      const renaming = renameAt(analysis, at.position, at.newName, await this.#others(at));
      if ("refusal" in renaming) return new ResponseError(ErrorCodes.InvalidRequest, renaming.refusal);
      return toWorkspaceEdit(renaming.edits);
    });
    connection.onCodeAction(async (request) => this.#actions(request));
    connection.onDocumentFormatting(({ textDocument }) => {
      const document = this.#open.get(textDocument.uri);
      if (document === undefined) return [];
      const text = document.getText();
      const newText = formatDocument(text);
      const range = { start: { line: 0, character: 0 }, end: document.positionAt(text.length) };
      return newText === text ? [] : [{ range, newText }];
    });
  }

  async #actions({ textDocument, range, context }: Protocol.CodeActionParams): Promise<Protocol.CodeAction[]> {
    const analysis = await this.#analyze(textDocument.uri);
    const shown = analysis.diagnostics.filter(
      ({ file, line }) => file === analysis.uri && line - 1 >= range.start.line && line - 1 <= range.end.line,
    );
    return shown.flatMap((finding) => {
      const { message } = toDiagnostic(finding, analysis.text);
      const diagnostics = context.diagnostics.filter((diagnostic) => diagnostic.message === message);
      return fixesFor(finding, analysis).map(({ title, edits }) => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics,
        edit: toWorkspaceEdit(edits),
      }));
    });
  }

  #analyze(uri: string): Promise<Analysis> {
    return analyze(uri, { reader: this.#reader, parsed: this.#parsed });
  }

  /** The other documents of the editor's folders, which may use what a document declares. */
  async #others({ textDocument }: At): Promise<readonly Analysis[]> {
    const documents = await findDocuments(this.#folders);
    const others: Analysis[] = [];
    for (const uri of documents) if (uri !== textDocument.uri) others.push(await this.#analyze(uri));
    return others;
  }

  /** Checks all open documents again soon; all changes until then share one check. */
  #check(): void {
    if (this.#isCheckDue) return;
    this.#isCheckDue = true;
    setImmediate(() => void this.#checkAll());
  }

  async #checkAll(): Promise<void> {
    this.#isCheckDue = false;
    try {
      for (const { uri } of this.#open.all()) await this.#report(uri);
    } catch (error) {
      // An internal error in one document must not end the server; the editor shows it.
      this.#connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }

  async #report(uri: string): Promise<void> {
    const version = this.#open.get(uri)?.version;
    if (version === undefined) return;
    const { diagnostics, text } = await this.#analyze(uri);
    if (this.#open.get(uri)?.version !== version) return;
    const own = diagnostics.filter(({ file }) => file === uri).map((finding) => toDiagnostic(finding, text));
    await this.#connection.sendDiagnostics({ uri, version, diagnostics: own });
  }
}

/** Bounds for a folder that is not only about CWL. */
const MAX_DOCUMENTS = 2000;
const MAX_FOLDERS = 5000;
const SKIPPED = new Set(["node_modules", "__pycache__", "venv"]);

/** Reads open documents from the editor, and all other documents from the local disk. Never downloads a document. */
function editorReader(open: Pick<TextDocuments<TextDocument>, "get">): DocumentReader {
  return { read: async (uri) => open.get(uri)?.getText() ?? diskReader.read(uri) };
}

/** The CWL documents below folders, by URI. */
async function findDocuments(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = folders.filter((uri) => uri.startsWith("file:")).map((uri) => fileURLToPath(uri));
  for (let count = 0; count < MAX_FOLDERS && found.length < MAX_DOCUMENTS; count++) {
    const folder = waiting.shift();
    if (folder === undefined) break;
    // A folder that cannot be listed is treated as empty.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name)) waiting.push(path);
      if (entry.isFile() && entry.name.endsWith(".cwl")) found.push(pathToUri(path));
    }
  }
  return found.slice(0, MAX_DOCUMENTS);
}

/** A finding from its position to the end of the word there. */
function toDiagnostic({ severity, code, message, hint, line, column }: Finding, text: string): Protocol.Diagnostic {
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
function toCompletionItem({ label, kind, detail, insertText }: Suggestion, index: number): Protocol.CompletionItem {
  return { label, kind: COMPLETION_KINDS[kind], detail, insertText, sortText: String(index).padStart(5, "0") };
}

const SYMBOL_KINDS: { readonly [kind in Part["kind"]]: SymbolKind } = {
  process: SymbolKind.Module,
  input: SymbolKind.Variable,
  output: SymbolKind.Field,
  step: SymbolKind.Function,
};

function toSymbol({ name, kind, detail, range, children }: Part): Protocol.DocumentSymbol {
  const { start, end } = range;
  const own = { start, end };
  return { name, kind: SYMBOL_KINDS[kind], detail, range: own, selectionRange: own, children: children.map(toSymbol) };
}

function toWorkspaceEdit(edits: readonly Edit[]): Protocol.WorkspaceEdit {
  const byFile = Map.groupBy(edits, ({ range }) => range.uri);
  const changes = [...byFile].map(([uri, all]) => [
    uri,
    all.map(({ range: { start, end }, newText }) => ({ range: { start, end }, newText })),
  ]);
  return { changes: Object.fromEntries(changes) };
}
