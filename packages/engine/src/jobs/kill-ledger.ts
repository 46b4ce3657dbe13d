import type { JobSelector, KilledJob, KillReport } from "../executor/executor.ts";
import { jobName } from "../executor/job-marker.ts";
import type { KillEvidence } from "@weft/shared/records/kill-record.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";

/** The reports of one or more attempts to end processes, job by job. Times in milliseconds since 1970. */
export class KillLedger {
  readonly #askedMs: number;
  readonly #jobs = new Map<string, KilledJob>();
  readonly #evidence = new Set<KillEvidence>();
  #provenMs: number | null = null;

  constructor(askedMs: number) {
    this.#askedMs = askedMs;
  }

  add(report: KillReport, nowMs: number): void {
    // An empty group is removed, so there is nothing more to check.
    if (report.proven) for (const evidence of report.evidence) this.#evidence.add(evidence);
    this.#provenMs = report.proven ? nowMs : null;
    for (const job of report.jobs) {
      const name = jobName(job);
      this.#jobs.set(name, merge(this.#jobs.get(name), job));
    }
  }

  /** The attempts with found processes, except unnamed ones. */
  get named(): readonly Pick<KilledJob, "jobId" | "attempt">[] {
    return [...this.#jobs.values()].filter(({ jobId }) => jobId !== "");
  }

  /** The report about one attempt. Even if no process was found, it contains the time of the proof. */
  of(job: NonNullable<JobSelector["job"]>): RecordedKill {
    return this.#record(this.#jobs.get(jobName(job)));
  }

  /** The sum of all reports. */
  get total(): RecordedKill {
    const all = [...this.#jobs.values()];
    const whole = { ...this.#record(undefined), confirmed_ms: this.#provenMs };
    return {
      ...whole,
      signals: (["SIGTERM", "SIGKILL"] as const).filter((signal) =>
        all.some(({ signals }) => signals.includes(signal)),
      ),
      processes_found: all.reduce((sum, { found }) => sum + found, 0),
      processes_killed: all.reduce((sum, { killed }) => sum + killed, 0),
    };
  }

  #record(job: KilledJob | undefined): RecordedKill {
    return {
      asked_ms: this.#askedMs,
      signals: job?.signals ?? [],
      processes_found: job?.found ?? 0,
      processes_killed: job?.killed ?? 0,
      confirmed_ms: job?.confirmedMs ?? this.#provenMs,
      evidence: [...this.#evidence],
    };
  }
}

function merge(earlier: KilledJob | undefined, job: KilledJob): KilledJob {
  if (earlier === undefined) return job;
  return {
    ...job,
    signals: [...new Set([...earlier.signals, ...job.signals])],
    found: earlier.found + job.found,
    killed: earlier.killed + job.killed,
  };
}
