import type { AutomationPlan, AutomationSettings } from "@weft/shared/records/automation-record.ts";
import type { QueryResult } from "@weft/shared/records/dataset-record.ts";
import { fillInputs, type FillableInput } from "@weft/shared/dataset/fill-inputs.ts";
import { narrowResult, STARTED_BEFORE, STILL_SETTLING } from "@weft/shared/dataset/narrow-result.ts";
import { Refusal, STORAGE_PROBLEMS } from "@weft/shared/records/refusal.ts";
import { roleIncludes } from "@weft/shared/records/role.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import { oneAtATime } from "../async/one-at-a-time.ts";
import type { Journal } from "../journal/journal.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { readAutomations, type AutomationRow } from "./read-automations.ts";
import type { Log } from "../log.ts";
import type { ActAs, Caller } from "../port/caller.ts";
import type { AskedQuery, EngineRuns, FindSamples } from "../port/engine.ts";
import { timeText } from "../present/present-time.ts";
import { judgeSamples, type Judged, type Sightings } from "./decide.ts";
import { nextTime, occasionOf } from "./occasions.ts";

export interface AutomatorOptions {
  readonly journal: Journal;
  readonly runs: Pick<EngineRuns, "create">;
  readonly findSamples: FindSamples;
  readonly actAs: ActAs;
  /** The newest version of a network. Throws a Refusal for an unknown one. */
  readonly network: (id: string) => { readonly digest: string; readonly inputs: readonly FillableInput[] };
  /** Time between two checks; absent: 10 s. */
  readonly intervalMs?: number | undefined;
  /** A monotonic clock that shows when files have settled. Absent: the clock of this process. */
  readonly steadyMs?: () => number;
  readonly log: Log;
}

/** Events after which an automation may have runs to start. */
const OCCASIONS: ReadonlySet<string> = new Set(["automation.created", "automation.changed", "run.ended"]);
const DAY_MS = 86_400_000;
const INTERVAL_MS = 10_000;
/** Failures in a row after which an automation stops. */
const MAX_FAILURES = 3;
const SHOWN_SAMPLES = 1000;

/** The server itself cannot start runs now, or the log has the run already. */
const PASSING: ReadonlySet<string> = new Set(["conflict", "draining", "queue-full", ...STORAGE_PROBLEMS]);

/** The result of an automation's query, sample by sample. */
interface JudgedQuery {
  readonly asked: AskedQuery;
  readonly samples: readonly Judged[];
}

type Subject = Pick<AutomationRow, "automationId" | "owner" | "settings" | "createdMs">;

/** Starts runs for automations, at intervals and after relevant events. The log records the started runs. */
export class Automator {
  readonly #options: AutomatorOptions;
  readonly #sightings = new Map<string, Sightings>();
  /** For each automation, the time and the event up to which there was nothing to start. */
  readonly #idle = new Map<string, { readonly ms: number; readonly seq: number }>();
  #stop: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Checks all automations after the current check has ended; resolves when the new check has ended. */
  readonly look = oneAtATime(() => this.#lookAtAll());

  constructor(options: AutomatorOptions) {
    this.#options = options;
  }

  /** Starts checking automations, now and from now on. */
  begin(): void {
    if (this.#isOver) return;
    const { journal, intervalMs = INTERVAL_MS } = this.#options;
    this.#stop = journal.subscribe((events) => {
      if (events.some(({ type }) => OCCASIONS.has(type))) void this.look();
    });
    this.#timer = setInterval(() => void this.look(), intervalMs).unref();
    void this.look();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#stop();
    clearInterval(this.#timer);
    await this.look();
  }

  /** The plan of an automation now. A new one has not seen its samples before. */
  async plan(automation: Subject, caller: Caller): Promise<AutomationPlan> {
    const { journal } = this.#options;
    const judged = await this.#judge(automation, caller, new Map(this.#sightings.get(automation.automationId)));
    const { settings } = automation;
    const samples = judged?.samples;
    const open = samples?.filter(({ verdict }) => verdict === "start").length;
    const isWaiting = this.#occasion(automation, caller) === undefined;
    const next = nextTime(settings.trigger, journal.nowMs());
    return {
      would_start: open ?? (isWaiting ? 0 : 1),
      blocked: this.#limit(automation) ?? (isWaiting ? "it waits for its trigger" : ""),
      samples: (samples ?? []).slice(0, SHOWN_SAMPLES).map(({ sample: { name }, verdict }) => ({
        ...{ name, verdict },
        detail: verdict === "settling" ? `its files must stay unchanged for ${settings.settle_s} s` : "",
      })),
      samples_total: samples?.length ?? 0,
      next_at: next === null ? null : timeText(next),
    };
  }

  async #lookAtAll(): Promise<void> {
    const { journal, log } = this.#options;
    for (const automation of readAutomations(journal.read).automations()) {
      if (this.#isOver) return;
      if (automation.state !== "active") continue;
      // One after the other: each may read a whole dataset.
      // eslint-disable-next-line no-await-in-loop
      await this.#consider(automation).catch((error: unknown) =>
        log("warn", "an automation could not be carried out", { id: automation.automationId, error: String(error) }),
      );
    }
  }

  async #consider(automation: AutomationRow): Promise<void> {
    const { actAs } = this.#options;
    const standing = actAs(automation);
    if (standing === undefined)
      return this.#change(
        automation,
        `${automation.owner} may no longer use this server with the token of the automation`,
      );
    if (!roleIncludes(standing.role, "runner"))
      return this.#change(automation, `${automation.owner} has the role ${standing.role}, which may not start runs`);
    if (this.#keepsFailing(automation)) return this.#change(automation, `its last ${MAX_FAILURES} runs failed`);
    const occasion = this.#occasion(automation, standing.caller);
    if (occasion === undefined || this.#limit(automation) !== undefined) return;
    try {
      await this.#act(automation, standing.caller, occasion);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!PASSING.has(error.code)) await this.#fail(automation, error.message);
    }
  }

  async #act(automation: AutomationRow, caller: Caller, occasion: string): Promise<void> {
    const sightings: Sightings = this.#sightings.get(automation.automationId) ?? new Map<string, number>();
    this.#sightings.set(automation.automationId, sightings);
    const { journal } = this.#options;
    const now = { ms: journal.nowMs(), seq: journal.read.lastSeq() };
    const judged = await this.#judge(automation, caller, sightings);
    if (judged === undefined) return this.#start(automation, caller, { keys: [occasion] });
    const { samples } = judged;
    const ready = samples.filter(({ verdict }) => verdict === "start");
    if (ready.length === 0) {
      // An occasion whose files still change waits for the next check.
      if (samples.every(({ verdict }) => verdict === "started")) this.#idle.set(automation.automationId, now);
      return;
    }
    const once = occasion === "samples" ? [] : [occasion];
    await this.#start(automation, caller, {
      keys: [...once, ...ready.map(({ key }) => key)],
      dataset: { ...judged.asked, result: wantedResult(judged, automation.settings.mode) },
    });
  }

  async #start(
    { automationId, settings }: AutomationRow,
    caller: Caller,
    { keys, dataset }: { readonly keys: readonly string[]; readonly dataset?: AskedQuery },
  ): Promise<void> {
    const { runs, network } = this.#options;
    const filled = dataset && fillInputs(dataset.result, network(settings.network).inputs);
    const [problem] = filled?.problems ?? [];
    if (problem !== undefined) throw new Refusal("invalid-inputs", `The query does not fit: ${problem.detail}.`);
    const body = {
      network: settings.network,
      inputs: { ...filled?.inputs, ...settings.inputs },
      ...(filled === undefined
        ? {}
        : { samples: Object.fromEntries(Object.entries(filled.samples).map(([id, names]) => [id, [...names]])) }),
      ...(settings.sink_data === undefined ? {} : { sink_data: settings.sink_data }),
      tags: { automation: settings.name },
    };
    const automation = { automation_id: automationId, keys };
    await runs.create(caller, { body, idempotencyKey: undefined, automation, dataset });
  }

  async #judge(
    { automationId, settings }: Subject,
    caller: Caller,
    sightings: Sightings,
  ): Promise<JudgedQuery | undefined> {
    if (settings.dataset === undefined) return undefined;
    const { journal, findSamples, network, steadyMs = () => performance.now() } = this.#options;
    const { digest } = network(settings.network);
    const asked = await findSamples(caller, settings.dataset);
    const samples = judgeSamples({
      ...{ samples: asked.result.samples, digest, sightings },
      settleMs: settings.settle_s * 1000,
      nowMs: steadyMs(),
      isStarted: (key) => readAutomations(journal.read).hasAutomationKey(automationId, key),
    });
    return { asked, samples };
  }

  #occasion(automation: Subject, caller: Caller): string | undefined {
    const { read, nowMs } = this.#options.journal;
    const { automationId: id, createdMs, settings } = automation;
    const { trigger } = settings;
    const idle = this.#idle.get(id) ?? { ms: 0, seq: 0 };
    const endedRun =
      trigger.kind === "run-ended" ? readAutomations(read).nextOccasion(id, idle.seq, visibleOwner(caller)) : undefined;
    const doneMs = Math.max(createdMs, idle.ms, readAutomations(read).lastAutomationStart(id) ?? 0);
    return occasionOf(automation, { nowMs: nowMs(), doneMs, endedRun });
  }

  /** The reason why the automation may not start more runs today. */
  #limit({ automationId, settings }: Subject): string | undefined {
    const { read, nowMs } = this.#options.journal;
    const { runs } = readAutomations(read).automationCounts(automationId, nowMs() - DAY_MS);
    return runs < settings.max_runs_per_day
      ? undefined
      : `it has started ${runs} runs within 24 hours, which is its limit`;
  }

  /** True if the last runs since the automation was created or resumed have all failed. */
  #keepsFailing({ automationId }: AutomationRow): boolean {
    const { read } = this.#options.journal;
    const history = readAutomations(read).automationHistory(automationId, 20);
    const begin = history.findIndex(({ kind }) => kind === "created" || kind === "active");
    const ids = history
      .slice(0, begin < 0 ? undefined : begin)
      .flatMap(({ kind, runId }) => (kind === "started" && runId !== null ? [runId] : []));
    const outcomes = ids.slice(0, MAX_FAILURES).map((runId) => read.run(runId)?.outcome);
    return (
      outcomes.length === MAX_FAILURES && outcomes.every((outcome) => outcome === "failure" || outcome === "partial")
    );
  }

  /** Stops an automation that fails again and again. */
  async #fail(automation: AutomationRow, detail: string): Promise<void> {
    const { journal } = this.#options;
    const { automationId: automation_id, owner } = automation;
    const before = readAutomations(journal.read).automationHistory(automation_id, MAX_FAILURES - 1);
    const data = { automation_id, owner, detail: detail.slice(0, 500) };
    await journal.append([{ type: "automation.failed", run_id: null, actor: "engine", data }]);
    if (before.length === MAX_FAILURES - 1 && before.every(({ kind }) => kind === "failed"))
      await this.#change(automation, `it failed ${MAX_FAILURES} times in a row: ${detail}`.slice(0, 500));
  }

  async #change({ automationId: automation_id, owner }: AutomationRow, reason: string): Promise<void> {
    const data = { automation_id, owner, state: "stopped", reason } as const;
    const event: NewEvent = { type: "automation.changed", run_id: null, actor: "engine", data };
    await this.#options.journal.append([event]);
  }
}

/** The result of the query, without the samples that stay out of the next run. */
function wantedResult({ asked, samples }: JudgedQuery, mode: AutomationSettings["mode"]): QueryResult {
  const verdicts = new Map(samples.map(({ sample, verdict }) => [sample.name, verdict]));
  return narrowResult(asked.result, ({ name }) => {
    const verdict = verdicts.get(name);
    if (verdict === "settling") return STILL_SETTLING;
    return verdict === "started" && mode === "new" ? STARTED_BEFORE : undefined;
  });
}
