import type { RunProgram } from "../executor/run-program.ts";
import { ok, warning, type Finding } from "./machine.ts";
import type { StateReading } from "./check-state.ts";

const PATIENCE_MS = 5000;
/** The maximum difference between two clocks that a time service sets. */
const TOLERANCE_MS = 2000;

/** Times in the log must not go back, and identity providers refuse wrong clocks. */
export async function checkClock(run: RunProgram, state: StateReading): Promise<Finding> {
  const { code, stdout } = await run("timedatectl", ["show", "--property=NTPSynchronized", "--value"], {
    timeoutMs: PATIENCE_MS,
  });
  const newestEventMs = state.kind === "facts" ? state.facts.newestEventMs : undefined;
  return judgeClock({
    nowMs: Date.now(),
    newestEventMs,
    isSynchronized: code === 0 ? stdout.trim() === "yes" : undefined,
  });
}

interface ClockFacts {
  readonly nowMs: number;
  readonly newestEventMs: number | undefined;
  /** Undefined if this system does not report it. */
  readonly isSynchronized: boolean | undefined;
}

export function judgeClock({ nowMs, newestEventMs, isSynchronized }: ClockFacts): Finding {
  const now = new Date(nowMs).toISOString();
  const synchronize = "sudo timedatectl set-ntp true";
  if (newestEventMs !== undefined && newestEventMs > nowMs + TOLERANCE_MS)
    return warning(
      `${now} is before the newest event of the log (${new Date(newestEventMs).toISOString()})`,
      synchronize,
    );
  if (isSynchronized === false) return warning(`${now}, but no time service sets the clock`, synchronize);
  return ok(isSynchronized === true ? `${now}, set by a time service` : now);
}
