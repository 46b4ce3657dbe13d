/** A job that is waiting to start. */
export interface Ticket {
  readonly runId: string;
  readonly jobId: string;
  readonly cores: number;
  readonly ramMib: number;
  /** True if the job runs at a remote backend, so it uses no resources of this machine. */
  readonly isRemote?: boolean;
  /** True if the server evaluates it: it needs no cores, and does not wait for programs. */
  readonly isExpression?: boolean;
  /**
   * True for a job already running under an earlier server: it starts immediately and takes its resources, whatever is free.
   */
  readonly isRunning?: boolean;
  /** False while the job is being prepared; absent if it needs no preparation. */
  readonly isReady?: boolean;
  /** Called at most once, before `start`, when the job's turn is near. The job may still wait for a long time. */
  prepare?(): void;
  /** Called once when the job may start; it holds its reservation until `release`. */
  start(): void;
}
