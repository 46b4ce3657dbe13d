/** How a TES server is spoken to. */
export interface TesSettings {
  /** Base address of its API, such as `https://tes.example.org/ga4gh/tes/v1`; undefined: there is no server. */
  readonly url?: string | undefined;
  /** Holds the bearer token; read for each request, so that it may be renewed. */
  readonly tokenFile?: string | undefined;
  /** For tools that name no image; undefined: such tools cannot run there. */
  readonly defaultImage?: string | undefined;
  /** Between two looks at a task, at least. */
  readonly pollMs: number;
  /** Jobs that are with the server at once, waiting ones included. */
  readonly maxJobs: number;
  /** So long is waited for what a worker wrote to become visible here. */
  readonly latencyMs: number;
  /** An answer that takes longer counts as none. */
  readonly requestMs: number;
  /** Absolute path of a folder → the address under which workers see it. Empty: all folders, as `file://` and the same path. */
  readonly storage: Readonly<Record<string, string>>;
}

export const DEFAULT_TES: TesSettings = {
  pollMs: 5000,
  maxJobs: 200,
  latencyMs: 30_000,
  requestMs: 30_000,
  storage: {},
};
