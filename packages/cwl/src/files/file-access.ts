/** The file system operations that CWL needs. Every argument `uri` is absolute and percent-encoded (`file:///…`). */
export interface FileAccess {
  /** True for remote files (`https:`, `data:`) that can be read like local ones. Absent if there are none. */
  isRemote?(uri: string): boolean;
  /** Follows symbolic links; undefined if the file does not exist. */
  stat(uri: string): Promise<FileStat | undefined>;
  /** Children of a folder, sorted by name in code-unit order; symbolic links are followed for `kind`. */
  list(uri: string): Promise<readonly FolderEntry[]>;
  /** The first bytes of a file as UTF-8, without a truncated character at the end. Rejects with NotUtf8. */
  readText(uri: string, maxBytes: number): Promise<string>;
  /** `sha1$…` over the whole content. */
  checksum(uri: string): Promise<string>;
  /** The URI with every symbolic link resolved; undefined for a dangling link. */
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
