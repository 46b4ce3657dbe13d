import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { Job } from "../job/job.ts";
import { recordFailedJob } from "../job/run-job.ts";
import type { Mailbox } from "./mailbox.ts";
import { prepareJob } from "./prepare-job.ts";
import type { RunFetch } from "./run-fetch.ts";
import type { NextJob, RunMessage } from "./run-message.ts";
import type { RunServices } from "./run-services.ts";

export interface PreparationParts {
  readonly fetch: RunFetch;
  readonly formats: FormatKnowledge;
  readonly services: RunServices;
  readonly mailbox: Mailbox<RunMessage>;
  /** Keeps what is under way of a job. */
  readonly track: (jobId: string, work: Promise<void>) => void;
  readonly enqueue: (next: NextJob, job: Job) => void;
  /** The run was stopped or let go: nothing is said of the job any more. */
  readonly isOver: () => boolean;
}

/** What lies between a call that can start and its job in the scheduler: its files from elsewhere, its inputs, its resources. */
export class JobPreparation {
  readonly #parts: PreparationParts;

  constructor(parts: PreparationParts) {
    this.#parts = parts;
  }

  async begin(next: NextJob): Promise<void> {
    const { fetch, track } = this.#parts;
    const { call, identity } = next;
    if (fetch.isNeeded(call.inputs, call.process)) track(identity.jobId, this.#bringInputs(next));
    else await this.prepare(next);
  }

  /** Its files are here. */
  async prepare(next: NextJob): Promise<void> {
    const { services, formats, track, enqueue } = this.#parts;
    try {
      enqueue(next, await prepareJob(next.call, next.identity, { services, formats }));
    } catch (error) {
      track(next.identity.jobId, Promise.resolve());
      await this.#end(next, error);
    }
  }

  /** Beside everything else: other jobs go on while a file comes from elsewhere. */
  async #bringInputs(next: NextJob): Promise<void> {
    const { fetch, mailbox, isOver } = this.#parts;
    const { call, identity } = next;
    try {
      await fetch.bring(call.inputs, call.process, identity);
      mailbox.post({ type: "inputs-here", next });
    } catch (error) {
      if (!isOver()) await this.#end(next, error);
    }
  }

  async #end({ call, identity }: NextJob, error: unknown): Promise<void> {
    const { services, mailbox } = this.#parts;
    try {
      const outcome = await recordFailedJob(identity, error, services);
      mailbox.post({ type: "job-ended", callId: call.id, jobId: identity.jobId, outcome });
    } catch (broken) {
      mailbox.post({ type: "broken", error: broken });
    }
  }
}
