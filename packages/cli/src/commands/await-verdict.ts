import type { Run } from "@weft/shared/records/run-record.ts";
import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";

/** A finished run that reproduces another, and the result of the comparison. */
export interface Judged {
  readonly run: Run;
  readonly verdict: Verdict;
}

/** Follows the new run, in an engine of this process or on a server. */
export interface RunWatch {
  read(): Promise<Run>;
  /** Resolves when the run may have changed since it was read. */
  changed(run: Run): Promise<void>;
  /** Compares now; rejects with the reason why that cannot be done. */
  compare(): Promise<Verdict>;
}

/** The number of times that a finished run is polled for its verdict before the caller compares the outputs itself. */
const MAX_POLLS = 60;

/** Waits for the verdict of a run, which follows shortly after the end, when the checksums of the inputs are recorded. */
export async function awaitVerdict(watch: RunWatch): Promise<Judged> {
  let polls = 0;
  for (;;) {
    const run = await watch.read();
    const verdict = run.reproduction?.verdict;
    if (verdict != null) return { run, verdict };
    if (isFinal(run.state) && ++polls > MAX_POLLS) return { run, verdict: await watch.compare() };
    await watch.changed(run);
  }
}
