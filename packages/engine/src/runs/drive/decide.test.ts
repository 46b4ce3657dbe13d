import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { Advance, Call } from "@weft/cwl/workflow/advance.ts";
import type { JobOutcome } from "../../jobs/job.ts";
import { decide, newState, startsJobs, type RunCommand, type RunMessage, type RunWork } from "./decide.ts";
import type { FailurePolicy } from "./run-outcome.ts";

const FAILED: JobOutcome = { status: "failed", state: "EXECUTOR_ERROR", reason: { code: "TOOL_EXIT", message: "1" } };
const OUTCOMES: readonly JobOutcome[] = [{ status: "success", outputs: {} }, FAILED, { status: "canceled" }];
const POLICIES: readonly FailurePolicy[] = ["continue", "finish_running", "stop_now"];

/** Numbers below a limit; the same ones for a seed. */
function numbersFrom(seed: number) {
  let state = seed * 2_654_435 + 1;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** One run whose commands nobody carries out until the test says so. */
class World {
  readonly state;
  readonly commands: RunCommand[] = [];
  readonly answered: string[] = [];
  readonly submitted: string[] = [];
  readonly below: (limit: number) => number;
  work: RunWork | undefined;

  constructor(policy: FailurePolicy, seed = 1) {
    this.state = newState(policy);
    this.below = numbersFrom(seed);
    this.handle({ type: "begin" });
  }

  /** The commands that follow from a message. */
  handle(message: RunMessage): readonly string[] {
    const commands = decide(this.state, message);
    for (const command of commands) this.#take(command);
    return commands.map(nameOf);
  }

  #take(command: RunCommand): void {
    this.commands.push(command);
    if ("now" in command) return;
    assert.equal(this.work, undefined, `${command.do} begins while ${this.work?.do} is carried out`);
    this.work = command;
    if (command.do === "tell") this.answered.push(command.callId);
    if (command.do === "submit") this.submitted.push(...command.calls.map(({ id }) => id));
    if (command.do === "end") assert.equal(this.state.open.size, 0, "a run ends while jobs are open");
  }

  endJob(callId: string, outcome: JobOutcome) {
    return this.handle({ type: "job-ended", callId, jobId: callId, outcome });
  }

  /** Reports the result of the commands in progress. */
  finish(result = resultOf(this)): readonly string[] {
    this.work = undefined;
    return this.handle(result);
  }
}

function resultOf({ work, below, state, submitted }: World): RunMessage {
  switch (work?.do) {
    case "bind":
      return below(20) === 0
        ? { type: "unbound", error: new CwlFailure("STAGE_IN", "no such file") }
        : { type: "bound", inputs: {} };
    case "yield":
      return { type: "yielded" };
    case "kill":
      return { type: "stopped", isProven: below(3) > 0 };
    case "end":
      return below(20) === 0 ? { type: "broken", error: new Error("the log") } : { type: "recorded" };
    case "begin":
    case "tell":
    case "continue":
      return below(40) === 0
        ? { type: "broken", error: new Error("a bug") }
        : {
            type: "advanced",
            advance: advance(submitted.length > 30 ? 0 : below(4), submitted.length, below(5) === 0),
          };
    default:
      assert.ok(state.isBusy);
      return { type: "done" };
  }
}

function advance(count: number, first = 0, isPending = false): Advance {
  const calls = Array.from({ length: count }, (_, at) => ({ id: `c${first + at}` }) as Call); // only its id matters
  return { calls, failures: [], isPending, ended: undefined };
}

/** A run that has submitted calls `c0`, `c1`, … */
function running(policy: FailurePolicy, count: number): World {
  const world = new World(policy);
  world.finish({ type: "bound", inputs: {} });
  world.finish({ type: "advanced", advance: advance(count) });
  world.finish({ type: "done" });
  return world;
}

describe("a run", () => {
  it("keeps its promises in any order of events", () => {
    for (let seed = 1; seed <= 3000; seed++) liveThrough(new World(POLICIES[seed % 3] ?? "continue", seed));
  });

  it("notifies the network of each end, and ends when no job is open", () => {
    const world = running("continue", 2);
    assert.deepEqual(world.endJob("c0", FAILED), ["tell"]);
    assert.deepEqual(world.endJob("c1", { status: "success", outputs: {} }), []);
    assert.deepEqual(world.finish({ type: "advanced", advance: advance(0) }), ["submit"]);
    assert.deepEqual(world.finish({ type: "done" }), ["tell"]);
    assert.deepEqual(world.finish({ type: "done" }), ["end"]);
    assert.deepEqual(world.finish({ type: "recorded" }), ["leave"]);
  });

  it("starts no waiting job immediately after a job has failed", () => {
    assert.deepEqual(running("finish_running", 2).endJob("c0", FAILED), ["hold", "tell"]);
    assert.deepEqual(running("continue", 2).endJob("c0", FAILED), ["tell"]);
  });

  it("stops at once if it is aborted, and kills again until no job is open and nothing is left", () => {
    const world = running("continue", 1);
    assert.deepEqual(world.handle({ type: "abort" }), ["halt", "kill"]);
    assert.deepEqual(world.finish({ type: "stopped", isProven: true }), ["kill"]);
    assert.deepEqual(world.endJob("c0", { status: "canceled" }), ["settle"]);
    assert.deepEqual(world.finish({ type: "stopped", isProven: false }), ["kill"]);
    assert.deepEqual(world.finish({ type: "stopped", isProven: true }), ["end"]);
    assert.deepEqual(world.commands.at(-1), { do: "end", end: world.state.verdict });
    assert.equal(world.state.verdict?.state, "CANCELED");
  });

  it("kills running jobs after a failure under the policy stop_now", () => {
    const world = running("stop_now", 2);
    assert.deepEqual(world.endJob("c0", FAILED), ["hold", "tell"]);
    assert.deepEqual(world.finish({ type: "done" }), ["halt", "kill"]);
  });

  it("records nothing once the server has released it", () => {
    const world = running("continue", 1);
    world.handle({ type: "abort" });
    assert.deepEqual(world.handle({ type: "release" }), ["detach"]);
    assert.deepEqual(world.endJob("c0", FAILED), []);
    assert.deepEqual(world.finish({ type: "stopped", isProven: true }), ["leave"]);
  });

  it("gives way between two turns of a loop, and handles ends first", () => {
    const world = new World("continue");
    world.finish({ type: "bound", inputs: {} });
    assert.deepEqual(world.finish({ type: "advanced", advance: advance(1, 0, true) }), ["submit"]);
    assert.deepEqual(world.finish({ type: "done" }), ["yield"]);
    assert.deepEqual(world.endJob("c0", { status: "success", outputs: {} }), []);
    assert.deepEqual(world.finish({ type: "yielded" }), ["tell"]);
    assert.deepEqual(world.finish({ type: "done" }), ["yield"]);
    assert.deepEqual(world.finish({ type: "yielded" }), ["continue"]);
  });

  it("leaves its end to the next server if it cannot be recorded twice", () => {
    const world = running("continue", 0);
    const error = new Error("the log");
    assert.deepEqual(world.finish({ type: "broken", error }), ["report", "halt", "settle", "kill"]);
    assert.deepEqual(world.finish({ type: "stopped", isProven: true }), ["end"]);
    assert.deepEqual(world.finish({ type: "broken", error }), ["leave"]);
    assert.deepEqual(world.commands.at(-1), { now: "leave", error });
  });
});

function nameOf(command: RunCommand): string {
  return "now" in command ? command.now : command.do;
}

function liveThrough(world: World): void {
  const { state, below } = world;
  let isStopped = false;
  for (let turns = 0; state.phase !== "ended" && state.phase !== "released"; turns++) {
    assert.ok(turns < 2000, "the run never ends");
    const [callId] = [...state.open].slice(below(state.open.size + 1));
    const before = world.commands.length;
    const what = below(60);
    if (what === 0) world.handle({ type: "abort" });
    else if (what === 1 && below(8) === 0) world.handle({ type: "release" });
    else if (what === 2 && callId !== undefined && below(4) === 0)
      world.handle({ type: "job-broken", callId, error: new Error("a bug") });
    else if (what < 30 && callId !== undefined) world.endJob(callId, OUTCOMES[below(3)] ?? FAILED);
    else if (world.work !== undefined) world.finish();
    for (const command of world.commands.slice(before)) {
      const name = nameOf(command);
      if (isStopped && "do" in command) assert.ok(["kill", "end"].includes(name), `${name} after the run was stopped`);
      if ("do" in command && command.do === "submit" && !command.onlyBegun)
        assert.ok(startsJobs(state), "jobs begin after a failure");
      isStopped ||= name === "halt";
    }
  }
  assert.equal(new Set(world.answered).size, world.answered.length, "the network hears twice of an end");
  if (state.phase === "ended" && !state.isBroken) assert.equal(state.open.size, 0);
  const quiet = world.commands.length;
  for (const callId of state.open) world.endJob(callId, FAILED);
  if (world.work !== undefined) world.finish();
  const after = world.commands.slice(quiet).map(nameOf);
  assert.deepEqual(
    after.filter((command) => command !== "leave"),
    [],
    "something happens after the end or the release",
  );
}
