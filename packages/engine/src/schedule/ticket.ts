/** A job that asks to be started. */
export interface Ticket {
  readonly runId: string;
  readonly jobId: string;
  readonly cores: number;
  readonly ramMib: number;
  /** True for one that runs at a backend that finds a machine for it: it takes nothing of this one. */
  readonly isRemote?: boolean;
  /** True for one that runs already, under an earlier server: it starts at once and takes its share, whatever is free. */
  readonly isRunning?: boolean;
  /** False while what `prepare` began is not done yet; absent: nothing needs to be prepared. */
  readonly isReady?: boolean;
  /** Called at most once, before `start`, when the turn of the job is near. It may have to wait for long nevertheless. */
  prepare?(): void;
  /** Called once when the job may start; it holds its share until `release`. */
  start(): void;
}
