import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import type { TextDocument } from "vscode-languageserver-textdocument";

/** Bounds for a folder that is not only about CWL. */
const MAX_DOCUMENTS = 2000;
const MAX_FOLDERS = 5000;
const SKIPPED = new Set(["node_modules", "__pycache__", "venv"]);

interface OpenTexts {
  get(uri: string): TextDocument | undefined;
}

/** Reads open documents from the editor, and all other documents from the local disk. Never downloads a document. */
export function editorReader(open: OpenTexts): DocumentReader {
  return { read: async (uri) => open.get(uri)?.getText() ?? diskReader.read(uri) };
}

/** The CWL documents below folders, by URI. */
export async function findDocuments(folders: readonly string[]): Promise<readonly string[]> {
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
