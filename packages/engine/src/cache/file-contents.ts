import { fileURLToPath } from "node:url";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import { hashFile, isRemembered } from "../files/hash-file.ts";
import { isBelow } from "../files/is-below.ts";
import { shortDigest } from "./short-digest.ts";

export interface FileContentsOptions {
  readonly files: FileAccess;
  /** Absolute path of the folder on a local disk where jobs work. */
  readonly runsFolder: string;
  /** Where little is to be read: told each file that is to be read, and its size, and refuses by throwing. */
  readonly mayRead?: (uri: string, sizeBytes: number) => void;
}

/** What files and folders hold at this moment. Nothing that has not changed is read twice (see files/hash-file.ts). */
export class FileContents {
  readonly #options: FileContentsOptions;
  /** Folders that are being read: many jobs may ask for the same one at once. */
  readonly #walks = new Map<string, Promise<string>>();

  constructor(options: FileContentsOptions) {
    this.#options = options;
  }

  /** `sha1$…`; the file may be one of the web. Rejects where it cannot be read. */
  async checksum(uri: string): Promise<string> {
    const { files, runsFolder, mayRead } = this.#options;
    if (files.isRemote?.(uri) === true) {
      mayRead?.(uri, 0);
      return files.checksum(uri);
    }
    const path = fileURLToPath(uri);
    if (mayRead !== undefined && !(await isRemembered(path))) mayRead(uri, (await files.stat(uri))?.size ?? 0);
    return (await hashFile(path, { near: isBelow(path, runsFolder) })).sha1;
  }

  /** A digest over names and contents of all that is in a folder, links followed. */
  folder(uri: string): Promise<string> {
    const known = this.#walks.get(uri);
    if (known !== undefined) return known;
    const walk = this.#walk(uri, []).finally(() => this.#walks.delete(uri));
    this.#walks.set(uri, walk);
    return walk;
  }

  async #walk(uri: string, around: readonly string[]): Promise<string> {
    const { files } = this.#options;
    const real = (await files.realUri(uri)) ?? uri;
    // A link can make a folder hold itself: there it ends.
    if (around.includes(real)) return "";
    const lines: string[] = [];
    for (const { name, kind, uri: member } of await files.list(uri)) {
      const content = await this.#contentOf(kind, member, [...around, real]);
      lines.push(JSON.stringify([name, kind, content]));
    }
    return shortDigest(lines.join("\n"));
  }

  async #contentOf(kind: "file" | "directory" | "other", uri: string, around: readonly string[]): Promise<string> {
    if (kind === "other") return "";
    return kind === "file" ? this.checksum(uri) : this.#walk(uri, around);
  }
}
