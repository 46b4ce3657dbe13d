import { fileURLToPath } from "node:url";
import type { FileAccess, FileStat } from "@weft/cwl/files/file-access.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import { runLater, runNow } from "../../files/beneath/steps.ts";
import { hashOpenFile, isRemembered } from "../../files/hash-file.ts";
import { isBelow } from "../../files/is-below.ts";
import { shortDigest } from "./value-digest.ts";

export interface FileContentsOptions {
  readonly files: FileAccess;
  readonly reach: Reach;
  /** Absolute path of the local folder where jobs work. */
  readonly runsFolder: string;
  /** Throws if the content of the file must not be looked up. */
  readonly mayOpen?: (uri: string) => void;
  /** Throws if this many bytes must not be read. */
  readonly mayRead?: (sizeBytes: number) => void;
}

/** The current content of files and folders. Reads nothing twice that has not changed (see files/hash-file.ts). */
export class FileContents {
  readonly #options: FileContentsOptions;
  /** Folders that are being read, because many jobs may need the same folder at once. */
  readonly #walks = new Map<string, Promise<string>>();

  constructor(options: FileContentsOptions) {
    this.#options = options;
  }

  /** `sha1$…`; the file may be remote. Rejects if it cannot be read. */
  async checksum(uri: string): Promise<string> {
    const { files, reach, runsFolder, mayOpen, mayRead } = this.#options;
    mayOpen?.(uri);
    if (files.isRemote?.(uri) === true) return files.checksum(uri);
    const path = fileURLToPath(uri);
    const near = isBelow(path, runsFolder);
    using file = near ? runNow(reach.openFile(path)) : await runLater(reach.openFile(path));
    if (mayRead !== undefined && !isRemembered(file)) mayRead(file.stats.size);
    return (await hashOpenFile(file, path, { near })).sha1;
  }

  /** A digest of the names and contents of everything in a folder, following links. */
  folder(uri: string): Promise<string> {
    const known = this.#walks.get(uri);
    if (known !== undefined) return known;
    const walk = this.#walk(uri, new Map()).finally(() => this.#walks.delete(uri));
    this.#walks.set(uri, walk);
    return walk;
  }

  /** `seen`: digests of the real folders of this walk; empty for those in progress, since a link can make a folder contain itself. */
  async #walk(uri: string, seen: Map<string, string>): Promise<string> {
    const { files } = this.#options;
    const real = (await files.realUri(uri)) ?? uri;
    const known = seen.get(real);
    if (known !== undefined) return known;
    seen.set(real, "");
    const lines: string[] = [];
    for (const { name, kind, uri: member } of await files.list(uri)) {
      const content = await this.#contentOf(kind, member, seen);
      lines.push(JSON.stringify([name, kind, content]));
    }
    const digest = shortDigest(lines.join("\n"));
    seen.set(real, digest);
    return digest;
  }

  async #contentOf(kind: FileStat["kind"], uri: string, seen: Map<string, string>): Promise<string> {
    if (kind === "other") return "";
    return kind === "file" ? this.checksum(uri) : this.#walk(uri, seen);
  }
}
