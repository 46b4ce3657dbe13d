/** The settings for a TES server. */
export interface TesSettings {
  /** Base URL of its API, such as `https://tes.example.org/ga4gh/tes/v1`; undefined: there is no server. */
  readonly url?: string | undefined;
  /** Path of a file that contains the bearer token; read for each request, so that the token can be renewed. */
  readonly tokenFile?: string | undefined;
  /** The image for tools that request none; without it, such tools cannot run on the server. */
  readonly defaultImage?: string | undefined;
  /** Minimum time between two polls of a task. */
  readonly pollMs: number;
  /** Maximum number of jobs at the server, including those waiting there. */
  readonly maxJobs: number;
  /** The maximum time until files that a worker wrote become visible on this machine. */
  readonly latencyMs: number;
  /** The time limit for a response. */
  readonly requestMs: number;
  /**
   * Absolute path of a folder → the URL or the absolute path under which workers see it. Empty: all folders, as
   * `file://` with the same path.
   */
  readonly storage: Readonly<Record<string, string>>;
}

export const DEFAULT_TES: TesSettings = {
  pollMs: 5000,
  maxJobs: 200,
  latencyMs: 30_000,
  requestMs: 30_000,
  storage: {},
};
