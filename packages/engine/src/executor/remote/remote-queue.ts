import { basename } from "node:path";
import { errorText } from "../../error-text.ts";
import type { Log } from "../../log.ts";
import type {
  AttemptState,
  BegunAttempt,
  JobExit,
  JobName,
  JobSelector,
  KillReport,
  KillTarget,
  Launch,
  Machine,
  RunningJob,
} from "../executor.ts";
import { endAll, type Clock, type Look, type Remains, type Remnant } from "../tracker.ts";
import type { Offer, RemoteAttempt, RemoteSystem, Sent, SubmittedAttempt, Verdict } from "./remote-system.ts";

export interface RemoteOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Absolute paths of the folders of all attempts of a run, or of one attempt. */
  readonly attemptFolders: (place: JobSelector) => readonly string[];
}

/** The number of polls for a key before it is submitted again: a gateway may still be processing the submission. */
const LOOKS = 2;
/** Maximum delay between requests to a system that does not respond. */
const RAREST_MS = 60_000;
/** The interval between reads of the records of running attempts, which do not involve the remote system. */
const RECORDS_MS = 1000;
const CANCEL_LOOK_MS = 250;
const UNKNOWN: Look = { found: [], isWhole: false };

/**
 * Runs jobs through a system that allocates machines. The attempt folder holds all that outlives this server: the key
 * under which it was submitted, and its exit. If the response to a submission is lost, the system is asked for the key
 * before it is submitted again. A poll without a response changes nothing: running attempts still count as running.
 */
export class RemoteQueue<Attempt extends RemoteAttempt, Note> implements Machine {
  readonly #system: RemoteSystem<Attempt, Note>;
  readonly #options: RemoteOptions;
  readonly #closing = new AbortController();
  readonly #byJob = new Map<string, Attempt>();
  #waiting: Attempt[] = [];
  #isSubmitting = false;
  /** Attempts being submitted: it is unknown whether the system has them. */
  readonly #offered = new Set<Attempt>();
  readonly #watched = new Set<Attempt>();
  #isWatching = false;
  #lastLookMs = 0;
  /** Consecutive polls without a response. */
  #silences = 0;
  /** Promises that `close` awaits. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(system: RemoteSystem<Attempt, Note>, options: RemoteOptions) {
    this.#system = system;
    this.#options = options;
  }

  submit(launch: Launch): RunningJob {
    const refused = this.#system.refuse(launch);
    if (refused !== undefined) return { started: Promise.resolve(undefined), exit: Promise.resolve(refused) };
    const attempt = this.#track(launch);
    this.#submit(attempt);
    return attempt;
  }

  look({ folder }: BegunAttempt): Promise<AttemptState> {
    return this.#system.inspect(folder);
  }

  reattach(launch: Launch): RunningJob {
    const attempt = this.#track(launch);
    this.#watched.add(attempt);
    this.#act(attempt, this.#system.reattach(attempt));
    this.#watch();
    return attempt;
  }

  whyWaiting({ runId, jobId }: JobName): string | undefined {
    const attempt = this.#byJob.get(`${runId}/${jobId}`);
    return attempt && this.#system.whyWaiting(attempt);
  }

  async cancel(target: KillTarget): Promise<KillReport> {
    const isMeant = ({ launch }: Attempt) => isOf(launch, target);
    for (const attempt of this.#waiting.filter(isMeant)) attempt.end({ kind: "lost" });
    this.#waiting = this.#waiting.filter((attempt) => !isMeant(attempt));
    const meant = [...this.#offered, ...this.#watched].filter(isMeant);
    for (const attempt of meant) attempt.isKilled = true;
    const remains = this.#remainsOf(target);
    if (remains === undefined) return { proven: true, evidence: [], jobs: [], left: [] };
    const { clock } = this.#options;
    const report = await endAll(remains, { graceMs: target.graceMs, clock, signal: this.#closing.signal });
    await this.#look(meant.filter((attempt) => this.#watched.has(attempt)));
    return report;
  }

  /** Waits for attempts that are being submitted or settled; the next server finds the others. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#underWay);
  }

  #track(launch: Launch): Attempt {
    const attempt = this.#system.attempt(launch);
    const name = `${launch.runId}/${launch.jobId}`;
    this.#byJob.set(name, attempt);
    void attempt.exit.then(() => this.#byJob.get(name) === attempt && this.#byJob.delete(name));
    return attempt;
  }

  /** Errors after closing has begun are ignored. */
  #begin(act: Promise<void>): Promise<void> {
    const begun = act
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) throw error;
      })
      .finally(() => this.#underWay.delete(begun));
    this.#underWay.add(begun);
    return begun;
  }

  #pause(ms: number): Promise<unknown> {
    return this.#options.clock.pause(ms, this.#closing.signal);
  }

  #submit(attempt: Attempt): void {
    this.#waiting.push(attempt);
    if (!this.#isSubmitting) void this.#begin(this.#submitAll());
  }

  async #submitAll(): Promise<void> {
    const { gather } = this.#system;
    this.#isSubmitting = true;
    try {
      for (let pauseMs = gather?.firstMs; this.#waiting.length > 0; pauseMs = gather?.nextMs) {
        if (pauseMs !== undefined) await this.#pause(pauseMs);
        const [group, ...others] = this.#system.group(this.#waiting);
        this.#waiting = others.flat();
        if (group === undefined) continue;
        const decided = this.#begin(this.#offer(group));
        if (gather !== undefined) await decided;
      }
    } finally {
      this.#isSubmitting = false;
    }
  }

  async #offer(group: readonly Attempt[]): Promise<void> {
    for (const attempt of group) this.#offered.add(attempt);
    try {
      const offer = await this.#system.prepare(group);
      const sent = "send" in offer ? await this.#untilDecided(offer, group) : offer;
      if (sent.kind === "refused") reject(group, sent.message);
      else if (sent.kind === "accepted") {
        this.#system.accepted?.(group);
        this.#follow(group);
      } else {
        this.#waiting = [...group.filter((attempt) => !attempt.isKilled), ...this.#waiting];
        for (const attempt of group) if (attempt.isKilled) attempt.end({ kind: "lost" });
      }
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      reject(group, errorText(error));
    } finally {
      for (const attempt of group) this.#offered.delete(attempt);
    }
  }

  async #untilDecided(
    { key, send, find }: Offer,
    group: readonly Attempt[],
  ): Promise<Exclude<Sent, { kind: "unknown" }>> {
    const { name, pollMs } = this.#system;
    let logged = "";
    for (let pauseMs = pollMs; ; pauseMs = Math.max(pauseMs, Math.min(2 * pauseMs, RAREST_MS / LOOKS))) {
      if (group.every(({ isKilled }) => isKilled)) return { kind: "refused", message: "its run has ended" };
      this.#closing.signal.throwIfAborted();
      const sent = await send();
      if (sent.kind !== "unknown") return sent;
      const fields = { key, error: sent.message };
      if (sent.message !== logged) this.#options.log("warn", `${name} did not confirm a job; asking for it`, fields);
      logged = sent.message;
      for (let look = 0; look < LOOKS; look++) {
        await this.#pause(pauseMs);
        if (await this.#isThere(find)) return { kind: "accepted" };
      }
    }
  }

  async #isThere(find: Offer["find"]): Promise<boolean> {
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      await this.#pause(this.#system.pollMs);
    }
  }

  #follow(attempts: readonly Attempt[]): void {
    for (const attempt of attempts) {
      attempt.isSeen();
      this.#watched.add(attempt);
    }
    this.#watch();
  }

  #watch(): void {
    if (!this.#isWatching && this.#watched.size > 0) void this.#begin(this.#watchAll());
  }

  async #watchAll(): Promise<void> {
    this.#isWatching = true;
    const { clock } = this.#options;
    const readRecord = this.#system.readRecord?.bind(this.#system);
    try {
      while (this.#watched.size > 0) {
        const intervalMs = this.#intervalMs();
        await this.#pause(readRecord === undefined ? intervalMs : Math.min(RECORDS_MS, this.#system.pollMs));
        if (readRecord === undefined || clock.now() - this.#lastLookMs >= intervalMs)
          await this.#look([...this.#watched]);
        else for (const attempt of this.#watched) this.#act(attempt, readRecord(attempt));
      }
    } finally {
      this.#isWatching = false;
    }
  }

  #intervalMs(): number {
    const intervalMs = this.#system.intervalMs(this.#watched.size);
    if (this.#silences === 0) return intervalMs;
    return Math.max(intervalMs, Math.min(RAREST_MS, this.#system.pollMs * 2 ** this.#silences));
  }

  async #look(attempts: readonly Attempt[]): Promise<void> {
    if (attempts.length === 0) return;
    const verdicts = await this.#system.look(attempts);
    this.#lastLookMs = this.#options.clock.now();
    const messages = [...verdicts.values()].flatMap((verdict) => (verdict.kind === "silent" ? verdict.message : []));
    this.#noteResponse(messages.length < verdicts.size ? undefined : messages[0]);
    for (const [attempt, verdict] of verdicts) this.#act(attempt, verdict);
  }

  #noteResponse(failure: string | undefined): void {
    const { log } = this.#options;
    const { name } = this.#system;
    if (failure !== undefined && this.#silences === 0)
      log("warn", `${name} does not respond; its jobs continue and will be checked again`, { error: failure });
    if (failure === undefined && this.#silences > 0) log("info", `${name} responds again`);
    this.#silences = failure === undefined ? 0 : this.#silences + 1;
  }

  #act(attempt: Attempt, verdict: Verdict): void {
    if (this.#closing.signal.aborted || !this.#watched.has(attempt)) return;
    if (verdict.kind !== "unbegun" && verdict.kind !== "ended") return;
    this.#watched.delete(attempt);
    if (verdict.kind === "unbegun") this.#submit(attempt);
    else if (verdict.isSettled === true) attempt.end(verdict.exit);
    else void this.#begin(this.#settle(attempt, verdict.exit));
  }

  async #settle(attempt: Attempt, exit: JobExit): Promise<void> {
    const settled = await this.#system.settle(attempt, exit, this.#closing.signal);
    if (settled !== undefined) return attempt.end(settled);
    this.#watched.add(attempt);
    this.#watch();
  }

  /** All attempts that any server has submitted and that may still exist; undefined if there are none. */
  #remainsOf(target: KillTarget): Remains | undefined {
    let known: ReturnType<RemoteSystem<Attempt, Note>["remains"]>;
    const isOffered = () => [...this.#offered].some(({ launch }) => isOf(launch, target));
    const search = () => (known ??= this.#system.remains(target, this.#submittedOf(target)));
    try {
      if (!isOffered() && search() === undefined) return undefined;
    } catch (error) {
      const fields = { run_id: target.runId, error: String(error) };
      this.#options.log("error", "the folders of jobs cannot be read", fields);
    }
    return {
      evidence: [this.#system.kind],
      pauseMs: { found: CANCEL_LOOK_MS, empty: CANCEL_LOOK_MS },
      async look() {
        if (isOffered()) return UNKNOWN;
        try {
          return (await search()?.look()) ?? { found: [], isWhole: true };
        } catch {
          // The folders cannot be read now.
          return UNKNOWN;
        }
      },
      end: (found: readonly Remnant[], isForced) => known?.end(found, isForced) ?? {},
    };
  }

  #submittedOf(target: JobSelector): readonly SubmittedAttempt<Note>[] {
    return this.#options.attemptFolders(target).flatMap((folder) => {
      const note = this.#system.withdraw(folder, target);
      return note === undefined ? [] : { note, job: attemptIn(folder) };
    });
  }
}

function reject(group: readonly RemoteAttempt[], message: string): void {
  for (const attempt of group) attempt.end(attempt.isKilled ? { kind: "lost" } : { kind: "rejected", message });
}

function isOf(launch: Launch, { runId, job }: JobSelector): boolean {
  if (launch.runId !== runId) return false;
  return job === undefined || (launch.jobId === job.jobId && launch.attempt === job.attempt);
}

/** Attempt folders are called `jobId@attempt`. */
function attemptIn(folder: string): SubmittedAttempt<unknown>["job"] {
  const name = basename(folder);
  const at = name.lastIndexOf("@");
  return { jobId: name.slice(0, at), attempt: Number(name.slice(at + 1)) };
}
