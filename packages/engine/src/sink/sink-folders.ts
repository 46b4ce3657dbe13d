/** The folders that outputs may be written to. */
export interface SinkFolders {
  /** Name → absolute path. */
  readonly folders: Readonly<Record<string, string>>;
  /** Of the account as it was before the server took everybody else's rights from its own files. */
  readonly umask: number;
}

export const NO_SINKS: SinkFolders = { folders: {}, umask: 0o077 };
