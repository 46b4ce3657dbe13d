import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { Job } from "../job/job.ts";
import type { FailedAttempt } from "../job/retry-policy.ts";
import { recordFailedJob, runJob } from "../job/run-job.ts";
import type { Ticket } from "../schedule/scheduler.ts";
import type { JobRetries } from "./job-retries.ts";
import type { Mailbox } from "./mailbox.ts";
import { prepareJob } from "./prepare-job.ts";
import type { JobPast, NextJob, RunMessage } from "./run-message.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunServices } from "./run-services.ts";

interface RunJobsParts {
  readonly plan: RunPlan;
  readonly services: RunServices;
  readonly retries: JobRetries;
  readonly mailbox: Mailbox<RunMessage>;
  /** The server has let go of the run. */
  readonly isReleased: () => boolean;
}

/** The jobs of one run that are under way: each goes from its call to its end, which it tells to the run's mailbox. */
export class RunJobs {
  /** By job id; each resolves when its end is on record. */
  readonly running = new Map<string, Promise<void>>();
  /** Handed to the scheduler and not started. */
  waiting = 0;
  readonly #parts: RunJobsParts;

  constructor(parts: RunJobsParts) {
    this.#parts = parts;
  }

  async begin(next: NextJob): Promise<void> {
    const { call, identity } = next;
    const { fetch } = this.#parts.plan;
    if (fetch.isNeeded(call.inputs, call.process)) this.running.set(identity.jobId, this.#bringInputs(next));
    else await this.prepare(next);
  }

  /** Its inputs are here. */
  async prepare(next: NextJob): Promise<void> {
    const { plan, services } = this.#parts;
    try {
      const { formats, memoryPolicy: policy } = plan;
      const memory = { policy, times: next.outOfMemory };
      const job = await prepareJob(next.call, next.identity, { services, formats, memory });
      this.#enqueue(next.call, job, next);
    } catch (error) {
      this.running.set(next.identity.jobId, Promise.resolve());
      await this.#endUnprepared(next, error);
    }
  }

  /** Beside everything else: other jobs go on while a file comes from elsewhere. */
  async #bringInputs(next: NextJob): Promise<void> {
    const { plan, mailbox, isReleased } = this.#parts;
    const { call, identity } = next;
    try {
      await plan.fetch.bring(call.inputs, call.process, identity);
      mailbox.post({ type: "inputs-here", next });
    } catch (error) {
      if (!plan.stop.signal.aborted && !isReleased()) await this.#endUnprepared(next, error);
    }
  }

  async #endUnprepared({ call, identity }: NextJob, error: unknown): Promise<void> {
    const { services, mailbox } = this.#parts;
    try {
      const outcome = await recordFailedJob(identity, error, services);
      mailbox.post({ type: "job-ended", callId: call.id, jobId: identity.jobId, outcome });
    } catch (broken) {
      mailbox.post({ type: "broken", error: broken });
    }
  }

  #enqueue(call: Call, job: Job, past: JobPast): void {
    this.waiting += 1;
    const ticket: Ticket = {
      runId: job.runId,
      jobId: job.jobId,
      cores: job.resources.coresMin,
      ramMib: job.resources.ramMin,
      start: () => {
        this.waiting -= 1;
        this.running.set(job.jobId, this.#run(call, job, { ...past, ticket }));
      },
    };
    this.#parts.services.scheduler.submit(ticket);
  }

  async #run(call: Call, job: Job, { ticket, ...past }: JobPast & { readonly ticket: Ticket }): Promise<void> {
    const { plan, services, retries, mailbox } = this.#parts;
    const onExit = once(() => services.scheduler.release(ticket));
    try {
      const retryDelayMs = (failed: FailedAttempt) => retries.delayMs(failed);
      const control = { signal: plan.stop.signal, ...past, onExit, retryDelayMs };
      const outcome = await runJob(job, services, control);
      if (outcome.status !== "retrying")
        return mailbox.post({ type: "job-ended", callId: call.id, jobId: job.jobId, outcome });
      const { delayMs, code } = outcome;
      const outOfMemory = past.outOfMemory + (code === "OUT_OF_MEMORY" ? 1 : 0);
      const next = { call, identity: nextAttempt(job), adopted: false, outOfMemory };
      mailbox.post({ type: "attempt-failed", next, delayMs });
    } catch (error) {
      mailbox.post({ type: "broken", error });
    } finally {
      onExit();
    }
  }
}

function nextAttempt({ runId, jobId, step, sampleId, attempt }: Job): NextJob["identity"] {
  return { runId, jobId, step, sampleId, attempt: attempt + 1 };
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
