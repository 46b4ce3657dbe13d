import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Contents of files by their paths below a folder. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

const folders: string[] = [];
process.once("exit", removeTemporaryFolders);

/** A folder with these files. It is removed after the test file, so that hooks which stop an engine can still use it. */
export function temporaryFolder(files: Files = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "weft-test-")));
  folders.push(folder);
  writeFiles(folder, files);
  return folder;
}

/** Removes the folders of test files that have ended. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Writes files and the folders that they need. A path with a slash at its end is an empty folder. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(path.endsWith("/") ? file : dirname(file), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(file, content);
  }
}
