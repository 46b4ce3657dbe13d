import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Advance, Call } from "@weft/cwl/workflow/advance.ts";
import { brokenRun, stepFailure, toFailure } from "../../jobs/job-failure.ts";
import type { JobOutcome } from "../../jobs/job.ts";
import { ABORTED, KEPT_FAILURES, runOutcome, type FailedJob, type FailurePolicy, type RunEnd } from "./run-outcome.ts";

/** The phases of a run. A paused run has no separate phase: the scheduler starts none of its jobs. */
export type Phase = "starting" | "driving" | "stopping" | "delivering" | "released" | "ended";

/** The state of one run. Only `decide` changes it. */
export interface ActorState {
  readonly policy: FailurePolicy;
  phase: Phase;
  /** A command that takes time is being carried out; a message will report its result. */
  isBusy: boolean;
  /** Submitted calls that have not ended. */
  readonly open: Set<string>;
  /** Ends of calls that have not been reported to the network yet, in order. */
  readonly ends: CallEnd[];
  /** More can be decided although no job has ended: a loop continues. */
  isPending: boolean;
  /** The first failures. */
  readonly failedJobs: FailedJob[];
  /** The end that the network reports. */
  ended: Advance["ended"];
  /** The decided end of the run, which jobs can no longer change. */
  verdict: RunEnd | undefined;
  isBroken: boolean;
}

interface CallEnd {
  readonly callId: string;
  readonly outcome: Exclude<JobOutcome, { status: "canceled" }>;
}

/** Events of a run: requests from outside, ends of its jobs, and results of commands. */
export type RunMessage =
  | { readonly type: "begin" | "abort" | "release" }
  | { readonly type: "bound"; readonly inputs: CwlObject }
  | { readonly type: "unbound"; readonly error: unknown }
  | { readonly type: "advanced"; readonly advance: Advance }
  | { readonly type: "yielded" | "done" | "recorded" }
  | { readonly type: "stopped"; readonly isProven: boolean }
  | { readonly type: "broken"; readonly error: unknown }
  | { readonly type: "job-broken"; readonly callId: string; readonly error: unknown }
  /** `canceled`: the job ended because the run did, or because no more jobs were to start. */
  | { readonly type: "job-ended"; readonly callId: string; readonly jobId: string; readonly outcome: JobOutcome };

/** A command that takes time. Only one is carried out at a time; it posts one of the messages listed for it. */
export type RunWork =
  /** Fetches and binds the inputs: `bound`, `unbound`. */
  | { readonly do: "bind" }
  /** Records the start, and asks the network for its first calls: `advanced`, `done`. */
  | { readonly do: "begin"; readonly inputs: CwlObject }
  /** Reports an end to the network: `advanced`, `done`. */
  | ({ readonly do: "tell" } & CallEnd)
  /** Yields to requests, ends of jobs and aborts: `yielded`. */
  | { readonly do: "yield" }
  /** Asks the network for more: `advanced`, `done`. */
  | { readonly do: "continue" }
  /**
   * Records the sizes of steps, and begins a job for each call, whose end is a separate message: `done`. `onlyBegun`:
   * cancels calls that an earlier server has not begun, because no more jobs are to start.
   */
  | { readonly do: "submit"; readonly calls: readonly Call[]; readonly onlyBegun: boolean }
  /** Ends every process of the run, again until no job is open: `stopped`. */
  | { readonly do: "kill" }
  /** Delivers the outputs and records the end: `recorded`. */
  | { readonly do: "end"; readonly end: RunEnd };

/** A command that is carried out immediately. */
export type RunStep =
  /** Starts no waiting job and retries no failure; running jobs continue. */
  | { readonly now: "hold" }
  /** Starts no waiting job, and also stops running jobs. */
  | { readonly now: "halt" }
  /** Jobs keep running, and the next server resumes the run from the log. */
  | { readonly now: "detach" }
  /** All jobs have ended. */
  | { readonly now: "settle" }
  | { readonly now: "report"; readonly error: unknown }
  /** The run is final, or belongs to the next server. `error`: its end could not be recorded. */
  | { readonly now: "leave"; readonly error?: unknown };

export type RunCommand = RunWork | RunStep;

export function newState(policy: FailurePolicy): ActorState {
  return {
    ...{ policy, phase: "starting", isBusy: false, open: new Set(), ends: [], isPending: false },
    ...{ failedJobs: [], ended: undefined, verdict: undefined, isBroken: false },
  };
}

/** True if the run is stopped or detached, so that its jobs no longer change it. */
export function isLeft({ phase }: Pick<ActorState, "phase">): boolean {
  return phase !== "starting" && phase !== "driving";
}

/** True if jobs that are not running yet may start. */
export function startsJobs(state: Pick<ActorState, "phase" | "failedJobs" | "policy">): boolean {
  return !isLeft(state) && (state.failedJobs.length === 0 || state.policy === "continue");
}

/** Applies a message: the only place where the state of a run changes. At most one command takes time. */
export function decide(state: ActorState, message: RunMessage): readonly RunCommand[] {
  if (state.phase === "ended") return [];
  if (state.phase === "released") return afterRelease(message);
  const steps = react(state, message);
  return [...steps, ...next(state)];
}

/** After the release, nothing more is recorded; ends the delivery of outputs. */
function afterRelease({ type }: RunMessage): readonly RunStep[] {
  return type === "stopped" || type === "recorded" || type === "broken" ? [{ now: "leave" }] : [];
}

function react(state: ActorState, message: RunMessage): readonly RunCommand[] {
  switch (message.type) {
    case "begin":
      return [];
    case "abort":
      return abort(state);
    case "release":
      state.phase = "released";
      return [{ now: "detach" }];
    case "job-ended":
      return jobEnded(state, message);
    case "job-broken":
      state.open.delete(message.callId);
      return isLeft(state) ? settled(state) : breakOff(state, message.error);
    case "bound":
    case "unbound":
    case "advanced":
    case "yielded":
    case "done":
    case "stopped":
    case "recorded":
    case "broken":
      state.isBusy = false;
      return workEnded(state, message);
  }
}

type WorkEnd = Exclude<RunMessage, { type: "begin" | "abort" | "release" | "job-ended" | "job-broken" }>;

function workEnded(state: ActorState, message: WorkEnd): readonly RunCommand[] {
  if (message.type === "broken") return breakOff(state, message.error);
  if (message.type === "stopped" && message.isProven && state.open.size === 0) state.phase = "delivering";
  if (message.type === "recorded") return leave(state, {});
  if (isLeft(state)) return [];
  switch (message.type) {
    case "bound":
      state.phase = "driving";
      return work(state, { do: "begin", inputs: message.inputs });
    case "unbound":
      return unbound(state, message.error);
    case "advanced":
      return advanced(state, message.advance);
    case "yielded":
      return state.isPending && state.ends.length === 0 ? continueLoop(state) : [];
    case "done":
    case "stopped":
      return [];
  }
}

/** A file that cannot be fetched ends the run like a failing job. */
function unbound(state: ActorState, error: unknown): readonly RunStep[] {
  const failure = toFailure(error, "STAGE_IN");
  if (failure.reason.code === "ENGINE") return breakOff(state, error);
  state.failedJobs.push({ jobId: "", failure });
  return stop(state);
}

function next(state: ActorState): readonly RunCommand[] {
  if (state.isBusy) return [];
  switch (state.phase) {
    case "starting":
      return work(state, { do: "bind" });
    case "driving":
      return drive(state);
    case "stopping":
      return work(state, { do: "kill" });
    case "delivering":
      return work(state, { do: "end", end: state.verdict ?? runOutcome(state) });
    case "released":
    case "ended":
      return [];
  }
}

function drive(state: ActorState): readonly RunCommand[] {
  const end = state.ends.shift();
  if (end !== undefined) return work(state, { do: "tell", ...end });
  if (state.open.size === 0 && !state.isPending) {
    state.phase = "delivering";
    return next(state);
  }
  if (state.failedJobs.length > 0 && state.policy === "stop_now") return [...stop(state), ...next(state)];
  return state.isPending ? work(state, { do: "yield" }) : [];
}

function continueLoop(state: ActorState): readonly RunCommand[] {
  state.isPending = false;
  return work(state, { do: "continue" });
}

function advanced(state: ActorState, { calls, failures, isPending, ended }: Advance): readonly RunCommand[] {
  const steps = failures.flatMap((failure) => fail(state, { jobId: "", failure: stepFailure(failure) }));
  state.ended = ended ?? state.ended;
  const onlyBegun = !startsJobs(state);
  state.isPending = isPending && !onlyBegun;
  // A loop without calls must not fill the log with sizes.
  if (isPending && calls.length === 0) return steps;
  for (const { id } of calls) state.open.add(id);
  return [...steps, ...work(state, { do: "submit", calls, onlyBegun })];
}

function jobEnded(
  state: ActorState,
  { callId, jobId, outcome }: Extract<RunMessage, { type: "job-ended" }>,
): readonly RunCommand[] {
  if (!state.open.delete(callId)) return [];
  if (isLeft(state)) return settled(state);
  if (outcome.status === "canceled") return [];
  state.ends.push({ callId, outcome });
  return outcome.status === "failed" ? fail(state, { jobId, failure: outcome }) : [];
}

/** Unless the policy is to continue, the first failure prevents waiting jobs from starting. */
function fail(state: ActorState, failed: FailedJob): readonly RunStep[] {
  if (state.failedJobs.length < KEPT_FAILURES) state.failedJobs.push(failed);
  if (state.policy === "continue") return [];
  state.isPending = false;
  return state.failedJobs.length === 1 ? [{ now: "hold" }] : [];
}

function abort(state: ActorState): readonly RunStep[] {
  if (state.phase === "delivering") return [{ now: "halt" }];
  state.verdict ??= ABORTED;
  return state.phase === "stopping" ? [] : stop(state);
}

function stop(state: ActorState): readonly RunStep[] {
  state.phase = "stopping";
  return [{ now: "halt" }, ...settled(state)];
}

function settled({ phase, open }: ActorState): readonly RunStep[] {
  return phase === "stopping" && open.size === 0 ? [{ now: "settle" }] : [];
}

/** An internal error ends the run. The next server continues one whose end cannot be recorded either. */
function breakOff(state: ActorState, error: unknown): readonly RunStep[] {
  if (state.isBroken) return leave(state, { error });
  state.isBroken = true;
  state.verdict = { outcome: "failure", outputs: undefined, ...brokenRun(error) };
  return [{ now: "report", error }, ...stop(state)];
}

function leave(state: ActorState, how: { readonly error?: unknown }): readonly RunStep[] {
  state.phase = "ended";
  return [{ now: "leave", ...how }];
}

function work(state: ActorState, command: RunWork): readonly RunCommand[] {
  state.isBusy = true;
  return [command];
}
