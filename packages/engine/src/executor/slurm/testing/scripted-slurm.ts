import type { EndedTask, QueuedTask } from "../queue-lines.ts";
import type { Batch } from "../sbatch-request.ts";
import type { Submitted } from "../slurm-client.ts";
import type { Clock } from "../../tracker.ts";

/** A Slurm whose state is set by the test, and a clock that advances only when something waits for it. */
export class ScriptedSlurm {
  readonly batches: Batch[] = [];
  readonly canceled: string[] = [];
  hasAccounts = false;
  /** Undefined: it does not respond. */
  tasks: QueuedTask[] | undefined = [];
  ended: EndedTask[] = [];
  /** Responses of sbatch in order; after these, it accepts. */
  answers: Submitted[] = [];
  /** Whether submitted arrays appear in the queue immediately. */
  queues = true;
  /** Effect of a cancel command on tasks. */
  onCancel = (ids: readonly string[], _now: boolean): void => {
    this.tasks = this.tasks?.filter(({ id }) => !ids.includes(id));
  };
  looks = 0;
  #nowMs = 0;
  #lastId = 0;

  readonly clock: Clock = {
    now: () => this.#nowMs,
    pause: async (ms, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      this.#nowMs += ms;
      this.onPause(this.#nowMs);
    },
  };

  /** Called with the time after each wait. */
  onPause: (nowMs: number) => void = () => {};

  async submit(batch: Batch): Promise<Submitted> {
    this.batches.push(batch);
    const answer = this.answers.shift() ?? { kind: "accepted" };
    if (answer.kind !== "refused" && this.queues) this.put(batch);
    return answer;
  }

  /** Behaves as if the batch had been accepted. */
  put({ name, tasks }: Batch, state = "PENDING"): void {
    const id = ++this.#lastId;
    const task = { name, state, reason: "Priority", node: "" };
    const queued = tasks.map((_, index) => ({ ...task, index, id: `${id}_${index}` }));
    this.tasks = [...(this.tasks ?? []), ...queued];
  }

  async queue(): Promise<readonly QueuedTask[] | { readonly failure: string }> {
    this.looks += 1;
    return this.tasks ?? { failure: "Unable to contact slurm controller" };
  }

  async ends(names: readonly string[]): Promise<readonly EndedTask[] | undefined> {
    if (this.tasks === undefined) return undefined;
    return this.ended.filter(({ name }) => names.includes(name));
  }

  async cancel(ids: readonly string[], now: boolean): Promise<void> {
    if (ids.length === 0) return;
    this.canceled.push(...ids.map((id) => (now ? `kill ${id}` : id)));
    this.onCancel(ids, now);
  }
}
