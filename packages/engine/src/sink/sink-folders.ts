/** The folders to which outputs may be written. */
export interface SinkFolders {
  /** Name → absolute path. */
  readonly folders: Readonly<Record<string, string>>;
  /** The account's umask before the server made its own files private. */
  readonly umask: number;
}

export const NO_SINKS: SinkFolders = { folders: {}, umask: 0o077 };
