/** A job that asks to be started. */
export interface Ticket {
  readonly runId: string;
  readonly jobId: string;
  readonly cores: number;
  readonly ramMib: number;
  /** Called once when the job may start; it holds its share until `release`. */
  readonly start: () => void;
}
