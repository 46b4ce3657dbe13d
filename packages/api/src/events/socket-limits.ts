export const MAX_SOCKETS = 512;

/** Size of one frame from a client. */
export const MAX_FRAME_BYTES = 64 * 1024;

/** A peer with more unread bytes than this is disconnected. */
export const SEND_QUEUE_BYTES = 1024 * 1024;

/** A peer that does not answer a ping before the next one is disconnected. */
export const PING_MS = 30_000;

/** The time for a new socket to subscribe, after which it gets all events. */
export const SUBSCRIBE_GRACE_MS = 500;

/** The time for a peer to respond to a close frame. */
export const CLOSE_GRACE_MS = 1_000;

/** Codes of RFC 6455 section 7.4.1 and of its IANA registry. */
export const CLOSE_CODES = { goingAway: 1001, notLetIn: 1008, internalError: 1011, tryAgainLater: 1013 } as const;
