/** One line of the structured log: a level, what happened, and whatever else tells it apart. */
export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Takes log lines; the caller decides where they go and which levels it keeps. Never throws. */
export type Log = (entry: LogEntry) => void;
