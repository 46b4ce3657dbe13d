/** The folders that outputs may be written to. */
export interface SinkFolders {
  /** Name → absolute path. */
  readonly folders: Readonly<Record<string, string>>;
  /** The account's umask from before the server restricted its own files to itself. */
  readonly umask: number;
}

export const NO_SINKS: SinkFolders = { folders: {}, umask: 0o077 };
