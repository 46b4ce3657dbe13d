/** The result of one attempt to deliver a message. */
export interface Sent {
  readonly delivered: boolean;
  /** HTTP or SMTP status; null without an answer. */
  readonly status: number | null;
  /** The error; empty if the message was delivered. */
  readonly error: string;
  readonly mayRetry: boolean;
}
