import { makeZip } from "client-zip";

/** A file with its path in the folder that it was chosen with. */
export interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** The files of a list from an input, with their folders if one was chosen. */
export function chosenFiles(files: FileList): ChosenFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The dropped files, with the contents of folders. */
export async function droppedFiles(items: DataTransferItemList): Promise<ChosenFile[]> {
  // The list is empty as soon as the event has ended.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: ChosenFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: ChosenFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    for (;;) {
      // A reader returns at most a hundred entries at once.
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (part.length === 0) return;
      for (const inner of part) await collect(inner, found);
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** One zip: what was chosen, if it is one, or all files in a new one. */
export async function packFiles(files: readonly ChosenFile[]): Promise<Blob> {
  const [first] = files;
  if (files.length === 1 && first !== undefined && /\.zip$/i.test(first.path)) return first.file;
  const entries = files.map(({ path, file }) => ({ name: path, input: file, lastModified: file.lastModified }));
  return new Response(makeZip(entries)).blob();
}

/** A short name for what was chosen. */
export function titleOf(files: readonly ChosenFile[]): string {
  const [first] = files;
  const folder = first?.path.includes("/") === true ? first.path.split("/")[0] : undefined;
  if (folder !== undefined && files.every(({ path }) => path.startsWith(`${folder}/`))) return folder;
  return files.length === 1 ? (first?.path ?? "") : `${files.length} files`;
}
