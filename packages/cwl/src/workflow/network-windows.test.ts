import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CwlObject } from "../model/cwl-value.ts";
import type { Advance, Call } from "./advance.ts";
import { ResultList } from "./result-list.ts";
import { jsonPacking } from "./testing/json-packing.ts";
import type { NetworkProgress } from "./network-progress.ts";
import { createProgress } from "./testing/drive-network.ts";
import { SMALL_LIMITS } from "../testing/test-limits.ts";
import { ECHO, network as load, output } from "./testing/small-workflows.ts";
import { unknownJobs } from "./unknown-jobs.ts";

const INPUTS = 'a: "Any[]", b: Any';
const OPEN_CALLS = 100;
const list = (length: number) => Array.from({ length }, (_, at) => at);

/** A network whose calls end as the test says. */
class Network {
  readonly #progress: NetworkProgress;
  readonly open = new Map<string, Call>();
  readonly calls: string[] = [];
  readonly #ids = new Set<string>();
  failures: Advance["failures"] = [];
  ended: { readonly status: string; readonly outputs: unknown } | undefined;
  /** Outputs that are packed lists. */
  packed: readonly string[] = [];
  mostOpen = 0;
  turns = 0;
  advances = 0;

  constructor(progress: NetworkProgress) {
    this.#progress = progress;
  }

  static async start(steps: string, inputs: CwlObject): Promise<Network> {
    let network: Network | undefined;
    const progress = createProgress(await load(INPUTS, output("Any", "outputSource: s/o"), steps), {
      limits: { ...SMALL_LIMITS, jobsPerScatter: 100_000, jobsPerRun: 1_000_000 },
      openCalls: OPEN_CALLS,
      packing: jsonPacking(),
      giveWay: async () => {
        if (network !== undefined) network.turns++;
      },
    });
    network = new Network(progress);
    await network.#take(await progress.start(inputs));
    return network;
  }

  sizes() {
    return this.#progress.stepSizes();
  }

  async end(id: string, isSuccess = true): Promise<void> {
    const call = this.open.get(id);
    assert.ok(call !== undefined, `${id} is not open`);
    this.open.delete(id);
    const outputs = { o: call.inputs["x"] ?? null };
    await this.#take(
      await this.#progress.callEnded(id, isSuccess ? { status: "success", outputs } : { status: "failed" }),
    );
  }

  async endAll(choose: (ids: readonly string[]) => string = ([first = ""]) => first): Promise<void> {
    while (this.open.size > 0) await this.end(choose([...this.open.keys()]));
  }

  async #take(advance: Advance): Promise<void> {
    for (let next = advance; ; next = await this.#progress.nextCalls()) {
      this.advances++;
      for (const call of next.calls) {
        assert.ok(!this.#ids.has(call.id), `${call.id} was called twice`);
        this.#ids.add(call.id);
        this.calls.push(call.id);
        this.open.set(call.id, call);
      }
      this.failures = [...this.failures, ...next.failures];
      if (next.ended !== undefined) this.#takeEnd(next.ended);
      this.mostOpen = Math.max(this.mostOpen, this.open.size);
      if (!next.isPending) return;
    }
  }

  #takeEnd({ status, outputs }: NonNullable<Advance["ended"]>): void {
    const values = Object.entries(outputs);
    this.packed = values.filter(([, value]) => value instanceof ResultList).map(([name]) => name);
    const whole = values.map(([name, value]) => [name, value instanceof ResultList ? [...value] : value]);
    this.ended = { status, outputs: Object.fromEntries(whole) as unknown };
  }
}

const EACH = `  s: {run: ${ECHO}, scatter: x, in: {x: a}, out: [o]}`;
const NEST = `{class: Workflow, requirements: [{class: ScatterFeatureRequirement}], inputs: {x: Any, l: Any}, outputs: {o: {type: Any, outputSource: two/o}}, steps: {one: {run: ${ECHO}, scatter: x, in: {x: l}, out: [o]}, two: {run: ${ECHO}, in: {x: one/o}, out: [o]}}}`;

describe("jobs are made while few calls are open", () => {
  test("a wide scatter opens as many calls as allowed, and gathers all its results in order", async () => {
    const network = await Network.start(EACH, { a: list(500), b: 0 });
    assert.equal(network.open.size, OPEN_CALLS);
    assert.deepEqual(network.sizes().get("s"), { jobs: 500, skipped: 0, isFinal: true });
    await network.endAll();
    assert.equal(network.mostOpen, OPEN_CALLS);
    const found = network.calls;
    assert.deepEqual(
      found,
      list(500).map((at) => `s[${at}]`),
    );
    assert.deepEqual(network.ended, { status: "success", outputs: { r: list(500) } });
    assert.deepEqual(network.packed, ["r"]);
  });

  const lists = (steps: string) =>
    `  s: {run: {class: Workflow, requirements: [{class: ScatterFeatureRequirement}], inputs: {l: Any}, outputs: {o: {type: Any, outputSource: ${steps}`;
  const first = `one: {run: ${ECHO}, scatter: x, in: {x: l}, out: [o]}`;
  for (const [name, steps] of Object.entries({
    "leave a nested workflow": `one/o}}, steps: {${first}}}, in: {l: a}, out: [o]}`,
    "are scattered over again": `two/o}}, steps: {${first}, two: {run: ${ECHO}, scatter: x, in: {x: one/o}, out: [o]}}}, in: {l: a}, out: [o]}`,
    "go into one job": `two/o}}, steps: {${first}, two: {run: ${ECHO}, in: {x: one/o}, out: [o]}}}, in: {l: a}, out: [o]}`,
  } as const))
    test(`results of a wide scatter that ${name} are whole`, async () => {
      const network = await Network.start(lists(steps), { a: list(500), b: 0 });
      await network.endAll();
      assert.deepEqual(network.ended, { status: "success", outputs: { r: list(500) } });
      assert.deepEqual(network.packed, []);
    });

  test("the results do not depend on the order in which calls end", async () => {
    const network = await Network.start(EACH, { a: list(700), b: 0 });
    await network.endAll((ids) => ids.at(-1) ?? "");
    assert.deepEqual(network.ended?.outputs, { r: list(700) });
  });

  test("a job that never ends does not prevent the creation of other jobs", async () => {
    const network = await Network.start(EACH, { a: list(700), b: 0 });
    await network.endAll((ids) => ids.find((id) => id !== "s[3]") ?? "s[3]");
    assert.equal(network.calls.length, 700);
    assert.deepEqual(network.ended?.outputs, { r: list(700) });
  });

  test("executions of a scattered workflow are opened as calls end", async () => {
    const network = await Network.start(`  s: {run: ${NEST}, scatter: x, in: {x: a, l: b}, out: [o]}`, {
      a: list(300),
      b: list(5),
    });
    assert.equal(network.sizes().get("s/one")?.isFinal, false);
    await network.endAll();
    assert.ok(network.mostOpen < 10 * OPEN_CALLS, `${network.mostOpen} calls were open`);
    assert.deepEqual(network.sizes().get("s/one"), { jobs: 1_500, skipped: 0, isFinal: true });
    assert.deepEqual(network.ended?.outputs, { r: list(300).map(() => list(5)) });
  });

  test("a step that starts late does not starve behind a wide one", async () => {
    const late = `${EACH}\n  first: {run: ${ECHO}, in: {x: b}, out: [o]}\n  late: {run: ${ECHO}, scatter: x, in: {x: first/o}, out: [o]}`;
    const network = await Network.start(late, { a: list(1_000), b: list(150) });
    await network.end("first");
    assert.ok(network.open.has("late[0]"), "the late step has a job at once");
    for (let ended = 0; ended < 2 * OPEN_CALLS; ended++) await network.end([...network.open.keys()][0] ?? "");
    const share = network.calls.filter((id) => id.startsWith("late[")).length;
    assert.ok(share >= OPEN_CALLS / 4, `only ${share} jobs of the late step were made`);
  });

  test("jobs that are skipped are decided on in slices, and the number of jobs is final after the last", async () => {
    const when = `  s: {run: ${ECHO}, scatter: x, when: $(inputs.x), in: {x: a}, out: [o]}`;
    const network = await Network.start(when, { a: list(2_000).map((at) => at === 1_999), b: 0 });
    assert.deepEqual(network.calls, ["s[1999]"]);
    assert.ok(network.turns >= 20, `gave way ${network.turns} times`);
    assert.ok(network.advances >= 5, `answered ${network.advances} times`);
    assert.deepEqual(network.sizes().get("s"), { jobs: 2_000, skipped: 1_999, isFinal: true });
    await network.endAll();
    assert.equal(network.ended?.status, "success");
  });

  test("a number of jobs that `when` may still reduce is not final, and the plan says why", async () => {
    const when = `  s: {run: ${ECHO}, scatter: x, when: $(inputs.x), in: {x: a}, out: [o]}`;
    const network = await Network.start(when, { a: list(1_000).map((at) => at < 700), b: 0 });
    assert.equal(network.sizes().get("s")?.isFinal, false);
    assert.deepEqual(Object.fromEntries(unknownJobs(await load(INPUTS, "  []", when), network.sizes())), {
      s: ["the run determines its jobs as earlier ones end"],
    });
    await network.endAll();
    assert.deepEqual(network.sizes().get("s"), { jobs: 1_000, skipped: 300, isFinal: true });
  });

  test("a failed job blocks steps that depend on its step, and the other jobs run", async () => {
    const network = await Network.start(`${EACH}\n  t: {run: ${ECHO}, in: {x: s/o}, out: [o]}`, { a: list(500), b: 0 });
    await network.end("s[7]", false);
    await network.endAll();
    assert.equal(network.calls.length, 500);
    assert.equal(network.ended?.status, "failed");
  });

  test("names of samples are unique among all jobs, also among those that are made later", async () => {
    const names = [...list(400).map((at) => `n${at}`), "n0"];
    const network = await Network.start(EACH, { a: names, b: 0 });
    assert.equal(network.open.get("s[0]")?.sampleId, "n0-0");
    assert.equal(network.open.get("s[1]")?.sampleId, "n1");
    await network.endAll((ids) => {
      assert.notEqual(network.open.get("s[400]")?.sampleId, "n0");
      return ids[0] ?? "";
    });
  });
});
