/**
 * Measures how much CPU time each turn of the event loop of this thread takes. CPU time and not wall time: on a busy machine
 * a thread that waits for its core holds up nothing by itself. It keeps the loop turning, so that turns are short but for
 * what the server does in them.
 */
export class TurnMonitor {
  #longestMs = 0;
  #lastMs = cpuMs();
  #isStopped = false;

  start(): void {
    this.#lastMs = cpuMs();
    setImmediate(() => this.#turn());
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** The longest turn since this was asked last. */
  take(): number {
    const longest = this.#longestMs;
    this.#longestMs = 0;
    return longest;
  }

  #turn(): void {
    const now = cpuMs();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastMs);
    this.#lastMs = now;
    if (!this.#isStopped) setImmediate(() => this.#turn());
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
