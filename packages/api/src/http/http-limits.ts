import type { ServerOptions } from "node:http";

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Limits of the HTTP parser. There is no `requestTimeout`, because it would end long uploads; the code that reads a body
 * sets its deadline.
 */
export const HTTP_LIMITS = {
  maxHeaderSize: 16 * KIB,
  // The guard refuses a request without it, as a problem; Node would send an empty answer.
  requireHostHeader: false,
  headersTimeout: 10_000,
  requestTimeout: 0,
  // Longer than proxies keep theirs, usually 60 s: a request on a connection that is just being closed is lost.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
} as const satisfies ServerOptions;

export const MAX_CONNECTIONS = 2048;

/** The time limit for a JSON body, and for a stalled upload. */
export const BODY_DEADLINE_MS = 60_000;

/** The time for which a client may continue to send a refused body, so that it can still read the response. */
export const LINGER_MS = 5_000;

/** The time after which a client that does not read its file is disconnected. */
export const SLOW_READ_MS = 60_000;

export const JSON_BODY_LIMIT = MIB;

/** Body of a request that starts a run, in bytes: inputs with 40,000 Files fit. Large data belongs in files. */
export const RUN_BODY_LIMIT = 8 * MIB;

export const JSON_DEPTH_LIMIT = 64;

/** Minimum size in bytes of a compressed answer: below, compression takes longer than the transfer it saves. */
export const COMPRESSED_FROM = 4096;

/** Maximum numbers of values and fields in the JSON of one request. */
export interface JsonLimits {
  readonly maxValues: number;
  /** Maximum number of fields of one object. */
  readonly maxFields: number;
}
