/** The file system operations that the language needs; every argument is an absolute URI (`file:///…`, percent-encoded). */
export interface FileAccess {
  /** True for remote files (`https:`, `data:`) that this can read like local ones. Absent if there are none. */
  isRemote?(uri: string): boolean;
  /** Follows symbolic links; undefined if nothing is there. */
  stat(uri: string): Promise<FileStat | undefined>;
  /** Children of a folder, sorted by name in code-unit order; symbolic links are followed for `kind`. */
  list(uri: string): Promise<readonly FolderEntry[]>;
  /** The first bytes of a file as UTF-8, without a truncated character at the end. Rejects with NotUtf8. */
  readText(uri: string, maxBytes: number): Promise<string>;
  /** `sha1$…` over the whole content. */
  checksum(uri: string): Promise<string>;
  /** The URI with every symbolic link resolved; undefined for a dangling one. */
  realUri(uri: string): Promise<string | undefined>;
}

export interface FileStat {
  readonly kind: "file" | "directory" | "other";
  /** Bytes; 0 for folders. */
  readonly size: number;
}

export interface FolderEntry extends FileStat {
  readonly name: string;
  readonly uri: string;
}
