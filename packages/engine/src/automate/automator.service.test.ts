import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { createLinks } from "@weft/shared/links.ts";
import type { AutomationSettings } from "@weft/shared/records/automation-record.ts";
import type { QueriedSample } from "@weft/shared/records/dataset-record.ts";
import type { Role } from "@weft/shared/records/role.ts";
import type { EventData } from "@weft/shared/events/event.ts";
import type { Journal } from "../journal/journal.ts";
import { AUTOMATIONS } from "./fold-automations.ts";
import { readAutomations } from "./read-automations.ts";
import { openMemoryJournal } from "../journal/memory-journal.ts";
import type { Caller } from "../port/caller.ts";
import type { EngineRuns } from "../port/engine.ts";
import { Automator } from "./automator.ts";
import { occasionOf, scheduleProblem } from "./occasions.ts";
import { runCreated, runEnded } from "../journal/testing/new-events.ts";
import { column } from "../testing/columns.ts";

const ID = "7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10";
const ann: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "changeable" };
const SETTINGS: AutomationSettings = {
  ...{
    name: "Auto",
    network: "cohort",
    trigger: { kind: "samples" },
    mode: "new",
    settle_s: 10,
    max_runs_per_day: 1000,
  },
  dataset: { query: { location: "weft-data://study/", per: ["sub"], columns: [{ kind: "file", name: "images" }] } },
};

interface Started {
  readonly runId: string;
  readonly samples: readonly string[];
}

/** A server that starts no runs, but records their starts as the engine would. */
class World {
  nowMs = 1_800_000_000_000;
  steadyMs = 0;
  readonly samples = new Map<string, QueriedSample>();
  readonly started: Started[] = [];
  role: Role | undefined = "runner";
  /** The server is killed before it records the next run, or right after. */
  crash: "before" | "after" | undefined;
  refusal: Error | undefined;
  readonly journal: Journal = openMemoryJournal(() => this.nowMs, [AUTOMATIONS]);
  #automator = this.#open();

  #open(): Automator {
    return new Automator({
      ...{ journal: this.journal, log: () => {}, steadyMs: () => this.steadyMs },
      runs: { create: (_, request) => this.#create(request) },
      findSamples: async (_, { query }) => {
        if (query === undefined) throw new Error("every test names a query");
        const samples = [...this.samples.values()];
        const counts = { samples_left_out: 0, files_left_out: 0, files_used: samples.length };
        return { query, saved: undefined, result: { location: query.location, samples, left_out: [], ...counts } };
      },
      actAs: () => (this.role === undefined ? undefined : { caller: ann, role: this.role }),
      network: () => ({
        digest: "sha256:1",
        inputs: [{ id: "images", type: { kind: "array", items: { kind: "File" } } }],
      }),
    });
  }

  async #create({ body, automation }: Parameters<EngineRuns["create"]>[1]): ReturnType<EngineRuns["create"]> {
    if (this.refusal !== undefined) throw this.refusal;
    if (this.crash === "before") throw new Error("killed");
    const runId = `run-${this.started.length}`;
    const [recorded] = await this.journal.append([createdRun(runId, automation)]);
    if (recorded === null) throw new Error("the log refused it");
    this.started.push({ runId, samples: body.samples?.["images"] ?? [] });
    if (this.crash === "after") throw new Error("killed");
    return { run: { run_id: runId } as never, replayed: false }; // nobody reads it
  }

  async automate(settings = SETTINGS): Promise<void> {
    const data = { automation_id: ID, owner: "ann", settings };
    await this.journal.append([{ type: "automation.created", run_id: null, actor: "ann", data }]);
  }

  put(name: string, version: number): void {
    const image = { class: "File", location: `weft-data://study/${name}.nii` };
    const modified_at = new Date(version).toISOString();
    this.samples.set(name, { name, columns: { images: image }, bytes: version, modified_at });
  }

  async look(seconds = 0): Promise<void> {
    this.nowMs += seconds * 1000;
    this.steadyMs += seconds * 1000;
    // A crash of the server is not a failure of the test.
    await this.#automator.look().catch(() => {});
    if (this.crash !== undefined) {
      this.crash = undefined;
      this.#automator = this.#open();
    }
  }

  async end(runId: string, outcome: "success" | "failure"): Promise<void> {
    await this.journal.append([runEnded(runId, outcome)]);
  }

  get state() {
    return readAutomations(this.journal.read).automation(ID);
  }
}

const createdRun = (runId: string, automation?: EventData<"run.created">["automation"]) =>
  runCreated(runId, {
    ...{ kind: "network", process_id: "cohort" },
    ...(automation === undefined ? {} : { automation }),
  });

describe("an automation", () => {
  it("never starts a sample twice for the same content, and loses none, whenever the server is killed", async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant("put" as const),
        name: fc.constantFrom("a", "b", "c"),
        version: fc.integer({ min: 1, max: 3 }),
      }),
      fc.record({ kind: fc.constant("look" as const), seconds: fc.constantFrom(0, 3, 11) }),
      fc.record({ kind: fc.constant("crash" as const), when: fc.constantFrom("before" as const, "after" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const world = new World();
        await world.automate();
        const contents: string[] = [];
        for (const each of steps) {
          if (each.kind === "put") world.put(each.name, each.version);
          if (each.kind === "crash") world.crash = each.when;
          const before = world.started.length;
          // The steps happen one after the other.
          await world.look(each.kind === "look" ? each.seconds : 0);
          for (const { samples } of world.started.slice(before))
            contents.push(...samples.map((name) => `${name} ${world.samples.get(name)?.bytes}`));
        }
        for (let n = 0; n < 3; n++) {
          const before = world.started.length;
          await world.look(11);
          for (const { samples } of world.started.slice(before))
            contents.push(...samples.map((name) => `${name} ${world.samples.get(name)?.bytes}`));
        }
        assert.equal(new Set(contents).size, contents.length, contents.join(", "));
        for (const { name, bytes } of world.samples.values()) assert.ok(contents.includes(`${name} ${bytes}`), name);
      }),
      { numRuns: 200 },
    );
  });

  it("waits until files have settled, and runs all samples again in the mode all", async () => {
    const world = new World();
    await world.automate({ ...SETTINGS, mode: "all" });
    world.put("a", 1);
    await world.look();
    await world.look(5);
    world.put("a", 2);
    await world.look(6);
    assert.deepEqual(world.started, []);
    await world.look(11);
    world.put("b", 1);
    await world.look(1);
    await world.look(11);
    assert.deepEqual(column(world.started, "samples"), [["a"], ["a", "b"]]);
  });

  it("does not mistake a changed clock for time in which files have settled", async () => {
    const world = new World();
    await world.automate();
    world.put("a", 1);
    await world.look();
    world.nowMs += 3_600_000;
    await world.look(1);
    assert.deepEqual(world.started, []);
    world.nowMs -= 7_200_000;
    await world.look(10);
    assert.equal(world.started.length, 1);
  });

  it("stops when its owner loses the role, or when it keeps failing", async () => {
    const world = new World();
    await world.automate();
    world.role = "viewer";
    await world.look();
    assert.deepEqual(
      [world.state?.state, world.state?.reason],
      ["stopped", "ann has the role viewer, which may not start runs"],
    );
    world.role = undefined;
    const resumed = { automation_id: ID, owner: "ann", state: "active", reason: "" } as const;
    await world.journal.append([{ type: "automation.changed", run_id: null, actor: "ann", data: resumed }]);
    await world.look();
    assert.match(world.state?.reason ?? "", /may no longer use/);
    world.role = "runner";
    await world.journal.append([{ type: "automation.changed", run_id: null, actor: "ann", data: resumed }]);
    for (const version of [1, 2, 3]) {
      world.put("a", version);
      await world.look();
      await world.look(11);
      await world.end(world.started.at(-1)?.runId ?? "", "failure");
    }
    await world.look();
    assert.deepEqual([world.state?.state, world.state?.reason], ["stopped", "its last 3 runs failed"]);
  });

  it("starts no more runs in a day than its limit", async () => {
    const world = new World();
    await world.automate({ ...SETTINGS, max_runs_per_day: 1, settle_s: 0 });
    world.put("a", 1);
    await world.look();
    world.put("b", 1);
    await world.look();
    assert.equal(world.started.length, 1);
    const row = world.state;
    assert.ok(row !== undefined);
    await world.look(86_401);
    assert.equal(world.started.length, 2);
  });

  it("starts one run for each later success of another network, independently of the clock", async () => {
    const world = new World();
    await world.journal.append([createdRun("early")]);
    await world.end("early", "success");
    world.nowMs += 1000;
    const { dataset: _, ...settings } = SETTINGS;
    await world.automate({ ...settings, trigger: { kind: "run-ended", network: "cohort" } });
    world.nowMs -= 3_600_000;
    await world.journal.append(["one", "two", "three"].map((runId) => createdRun(runId)));
    await world.end("one", "success");
    await world.end("two", "failure");
    await world.look();
    await world.look();
    assert.equal(world.started.length, 1);
    world.nowMs += 7_200_000;
    await world.end("three", "success");
    await world.look();
    await world.look();
    assert.equal(world.started.length, 2);
  });
});

describe("a schedule", () => {
  const trigger = { kind: "schedule", cron: "30 2 * * *", time_zone: "Europe/Berlin" } as const;
  const row = {
    automationId: ID,
    owner: "ann",
    settings: { ...SETTINGS, trigger },
    state: "active",
    reason: "",
    createdMs: 0,
    credential: null,
  } as const;

  it("is due at its time in its time zone, and only once for all missed times", () => {
    const doneMs = Date.parse("2026-11-20T12:00:00Z");
    const at = (time: string) => occasionOf(row, { nowMs: Date.parse(time), doneMs, endedRun: undefined });
    assert.equal(at("2026-11-21T01:29:59Z"), undefined);
    assert.equal(at("2026-11-21T01:30:00Z"), "time 2026-11-21T01:30:00.000Z");
    assert.equal(at("2026-11-24T00:00:00Z"), "time 2026-11-21T01:30:00.000Z");
  });

  it("has a problem if it is invalid or never due", () => {
    assert.equal(scheduleProblem(trigger), undefined);
    assert.match(scheduleProblem({ ...trigger, cron: "99 * * * *" }) ?? "", /./);
    assert.match(scheduleProblem({ ...trigger, time_zone: "Mars/Olympus" }) ?? "", /./);
    assert.equal(scheduleProblem({ ...trigger, cron: "0 0 30 2 *" }), "its schedule has no further times");
  });
});
