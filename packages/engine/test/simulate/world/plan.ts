import type { Decisions } from "../machine/decisions.ts";
import { drawAutomation, type PlannedAutomation } from "./automation/plan-automation.ts";
import { isOfFileList, isOfOneText, NETWORKS } from "./documents.ts";
import type { FaultRates, Focus } from "./faults.ts";
import type { Stage } from "./stage.ts";

/** A run that a client wants, and what it does to it meanwhile. */
export interface PlannedRun {
  readonly key: string;
  readonly network: string;
  readonly texts: readonly string[];
  readonly cores: number;
  readonly ram: number;
  /** Seconds; 0: none. */
  readonly limit: number;
  readonly options: Readonly<Record<string, string | number>>;
  /** Destination of its outputs; undefined: none. */
  readonly sink: string | undefined;
  readonly atMs: number;
  readonly abortAtMs: number | undefined;
  readonly pause: { readonly atMs: number; readonly forMs: number } | undefined;
}

/** Events that are followed by something that must be done once; `failure`: a job has failed. */
export type KillingEvent = "job.ended" | "job.started" | "job.retrying" | "failure" | "run.canceling";

export type Ending = "kill" | "power" | "detach" | "drain" | "cancel";

/** How one life of the server ends. */
export interface PlannedEnd {
  readonly how: Ending;
  /** Whether a killed server ends at a system call, at a moment, or soon after the next event of a type. */
  readonly when: "call" | "moment" | KillingEvent;
  readonly atCall: number;
  readonly atMs: number;
  readonly afterMs: number;
  /** Time until the next server starts. */
  readonly downMs: number;
}

export interface Outage {
  readonly atMs: number;
  readonly forMs: number;
}

export interface WorldPlan {
  readonly capacity: {
    readonly cores: number;
    readonly ramMib: number;
    readonly slots: number;
    readonly remote: number;
  };
  readonly runs: readonly PlannedRun[];
  readonly ends: readonly PlannedEnd[];
  readonly diskFull: Outage | undefined;
  readonly databaseLocked: Outage | undefined;
  /** The TES server is unreachable. */
  readonly tesDown: Outage | undefined;
  readonly automation: PlannedAutomation | undefined;
  readonly clockSet: { readonly atMs: number; readonly byMs: number } | undefined;
}

interface WorldSize {
  readonly runs: readonly [number, ...number[]];
  /** Length of the list of a run. */
  readonly lengths: readonly [number, ...number[]];
  /** How often a server ends. */
  readonly ends: readonly [number, ...number[]];
  readonly words: readonly [string, ...string[]];
  /** Maximum number of jobs of all runs. */
  readonly maxJobs: number;
}

/** Most faults need few jobs, and small worlds pass quickly. Few words, because the cache needs equal jobs. */
const SMALL: WorldSize = {
  runs: [1, 1, 1, 2],
  lengths: [1, 2, 2, 3],
  ends: [1, 1, 2],
  words: ["red", "green", "blue"],
  maxJobs: 8,
};
const LARGE: WorldSize = {
  runs: [1, 2, 3],
  lengths: [2, 3, 5, 8],
  ends: [1, 2, 3, 5],
  words: ["red", "green", "blue", "grey"],
  maxJobs: 20,
};
const NETWORKS_OF: Readonly<Record<Focus, readonly [string, ...string[]]>> = {
  everywhere: Object.keys(NETWORKS) as [string, ...string[]], // it is not empty
  host: ["chain", "spread", "each", "nested"],
  slurm: ["cluster", "travel"],
  tes: ["tasks", "travel"],
};

/** The name of a foreign file in the destination of outputs. */
export const TAKEN_NAME = "taken.txt";

/** How many worlds are large. */
const LARGE_SHARE = 0.08;

export function drawPlan(
  decisions: Decisions,
  rates: FaultRates,
  { focus, staged }: { readonly focus: Focus; readonly staged: Stage | undefined },
): WorldPlan {
  const size = decisions.fraction("plan.size") < LARGE_SHARE ? LARGE : SMALL;
  const count = decisions.pick("plan.runs", size.runs);
  const runs: PlannedRun[] = [];
  for (let at = 0, jobs = 0; at < count && jobs < size.maxJobs; at += 1) {
    const drawn = drawRun(decisions, `run-${at}`, { size, focus });
    const run = at === 0 ? { ...drawn, ...staged?.run } : drawn;
    // Runs are drawn as faults, so that a world can be made smaller.
    if (decisions.happens("run", 1) || at === 0) runs.push(run);
    jobs += isOfOneText(run.network) ? 3 : 2 * run.texts.length;
  }
  return {
    capacity: staged?.capacity ?? {
      cores: decisions.pick("plan.cores", [1, 2, 4]),
      ramMib: decisions.pick("plan.ram", [500, 1000, 4000]),
      slots: decisions.pick("plan.slots", [1, 2, 4, 8]),
      remote: decisions.pick("plan.remote", [1, 3, 8]),
    },
    runs,
    ends: stageEnds(drawEnds(decisions, rates, { size, events: killingEvents(rates, runs) }), staged),
    diskFull: drawOutage(decisions, "disk-full", rates.diskFull),
    databaseLocked: drawOutage(decisions, "database-locked", rates.databaseLocked),
    tesDown: staged?.tesDown ?? drawOutage(decisions, "tes-down", rates.tesDown),
    automation: drawAutomation(decisions),
    clockSet: decisions.happens("clock-set", rates.clockSet)
      ? { atMs: decisions.between("clock.at", 0, 30_000), byMs: decisions.between("clock.by", -7_200_000, 7_200_000) }
      : undefined,
  };
}

function drawRun(
  decisions: Decisions,
  key: string,
  { size, focus }: { readonly size: WorldSize; readonly focus: Focus },
): PlannedRun {
  const network = decisions.pick("run.network", NETWORKS_OF[focus]);
  const length = isOfOneText(network) ? 1 : decisions.pick("run.length", size.lengths);
  const words = Array.from({ length }, () => decisions.pick("run.word", size.words));
  const texts = words.filter((_, at) => decisions.happens("run.text", 1) || at === 0);
  const abortAtMs = decisions.happens("run.aborted", 0.25) ? decisions.between("run.abort-at", 0, 30_000) : undefined;
  const isPaused = decisions.happens("run.paused", 0.15);
  return {
    ...{ key, network, texts, abortAtMs },
    cores: decisions.pick("run.cores", [1, 1, 2]),
    ram: decisions.pick("run.ram", [100, 400]),
    limit: decisions.pick("run.limit", [0, 0, 5, 30]),
    options: drawOptions(decisions),
    sink: drawSink(decisions, { key, isList: isOfFileList(network) }),
    atMs: decisions.between("run.at", 0, 10_000),
    pause: isPaused
      ? { atMs: decisions.between("run.pause-at", 0, 15_000), forMs: decisions.between("run.pause-for", 100, 20_000) }
      : undefined,
  };
}

/** One of them has a file already. */
function drawSink(
  decisions: Decisions,
  { key, isList }: { readonly key: string; readonly isList: boolean },
): string | undefined {
  const isTaken = decisions.fraction("run.sink-taken") < 0.15;
  if (!decisions.happens("run.sink", 0.25)) return undefined;
  const name = isTaken ? TAKEN_NAME : "{run_id}.txt";
  return `vfs://results/${isList ? `${key}/{index}/{basename}` : `${key}/${name}`}`;
}

function drawOptions(decisions: Decisions): PlannedRun["options"] {
  const retries = decisions.pick("run.retries", [-1, -1, 0, 1, 3]);
  const maxParallel = decisions.pick("run.parallel", [0, 0, 1, 2]);
  return {
    on_failure: decisions.pick("run.on-failure", ["finish_running", "stop_now", "continue"]),
    cache: decisions.pick("run.cache", ["use", "use", "refresh", "off"]),
    priority: decisions.pick("run.priority", [0, 0, 0, 5]),
    ...(retries < 0 ? {} : { retries }),
    ...(maxParallel === 0 ? {} : { max_parallel_jobs: maxParallel }),
  };
}

/** The faults of this world; the rare ones more often, because most recovery follows them. */
function killingEvents(rates: FaultRates, runs: readonly PlannedRun[]): readonly [KillingEvent, ...KillingEvent[]] {
  return [
    ...(["job.ended", "job.started"] as const),
    ...(rates.temporary > 0 ? (["job.retrying"] as const) : []),
    ...(rates.fails > 0 ? (["failure", "failure"] as const) : []),
    ...(runs.some(({ abortAtMs }) => abortAtMs !== undefined) ? (["run.canceling", "run.canceling"] as const) : []),
  ];
}

interface EndsWanted {
  readonly size: WorldSize;
  readonly events: readonly [KillingEvent, ...KillingEvent[]];
}

function drawEnds(decisions: Decisions, rates: FaultRates, { size, events }: EndsWanted): readonly PlannedEnd[] {
  if (rates.kill === 0) return [];
  const ends = Array.from({ length: decisions.pick("plan.ends", size.ends) }, (): PlannedEnd | undefined => {
    const orderly = decisions.pick("end.how", ["kill", "kill", "kill", "kill", "detach", "drain", "cancel"] as const);
    const how: Ending = orderly === "kill" && decisions.happens("end.power", rates.powerLoss) ? "power" : orderly;
    const end = {
      how,
      when: decisions.pick("end.when", [
        "call",
        "moment",
        decisions.pick("end.event", events),
        decisions.pick("end.other-event", events),
      ] as const),
      atCall: Math.floor(10 * 100 ** decisions.fraction("end.call")),
      afterMs: decisions.between("end.after", 0, 600),
      atMs: decisions.between("end.at", 10, 20_000),
      downMs: decisions.between("end.down", 10, 10_000),
    };
    return decisions.happens("end", 1) ? end : undefined;
  });
  return ends.filter((end) => end !== undefined);
}

function stageEnds(ends: readonly PlannedEnd[], staged: Stage | undefined): readonly PlannedEnd[] {
  return staged === undefined ? ends : ends.map((end, at) => (at === 0 ? { ...end, how: "kill", ...staged.end } : end));
}

function drawOutage(decisions: Decisions, kind: string, rate: number): Outage | undefined {
  const outage = {
    atMs: decisions.between(`${kind}.at`, 0, 20_000),
    forMs: decisions.between(`${kind}.for`, 10, 30_000),
  };
  return decisions.happens(kind, rate) ? outage : undefined;
}
