import type { Run } from "@weft/shared/records/run-record.ts";
import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";

/** A run that reproduces another, has ended and was compared. */
export interface Judged {
  readonly run: Run;
  readonly verdict: Verdict;
}

/** Where such a run executes: an engine in this process, or a server. */
export interface RunWatch {
  read(): Promise<Run>;
  /** Resolves when the run may have changed since it was read. */
  changed(run: Run): Promise<void>;
  /** Compares now; rejects with the reason why that cannot be done. */
  compare(): Promise<Verdict>;
}

/** How often a finished run is polled before the caller compares it itself, because its own verdict failed. */
const LOOKS = 60;

/** Waits for the verdict of a run, which follows shortly after the end, when the checksums of the inputs are recorded. */
export async function awaitVerdict(watch: RunWatch): Promise<Judged> {
  let looks = 0;
  for (;;) {
    const run = await watch.read();
    const verdict = run.reproduction?.verdict;
    if (verdict != null) return { run, verdict };
    if (isFinal(run.state) && ++looks > LOOKS) return { run, verdict: await watch.compare() };
    await watch.changed(run);
  }
}
