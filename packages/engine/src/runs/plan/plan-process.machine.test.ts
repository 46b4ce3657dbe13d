import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { loadProcess } from "@weft/cwl/command/testing/load-process.ts";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { Containers } from "../../container/containers.ts";
import type { ContainerSetting } from "@weft/shared/records/container-record.ts";
import { FakeEngine } from "../../container/testing/fake-engine.ts";
import { openDocumentServices } from "../../document/document-services.ts";
import { planProcess, type ProcessPlan } from "./plan-process.ts";
import { column } from "../../testing/columns.ts";

const scratch = join(tmpdir(), `weft-plan-${process.pid}`);
const services = await openDocumentServices({ version: "test", scratch, jobs: 1, log: () => {} });
after(() => services.close());
const fake = new FakeEngine("podman");
fake.images.add("here:1");
const formats = formatKnowledge({ namespaces: new Map(), schemas: [] });

async function plan(yaml: string, bound: CwlObject, setting: ContainerSetting = "podman") {
  const containers = new Containers({ setting, engineOf: () => fake, log: () => {}, now: () => 0 });
  const plannable = { process: await loadProcess(yaml), formats, bound, samples: { list: ["s1", "s2"] } };
  return planProcess(plannable, { ...services, containers });
}

async function planned(yaml: string, bound: CwlObject = {}, setting?: ContainerSetting): Promise<ProcessPlan> {
  const result = await plan(yaml, bound, setting);
  assert.ok("jobs" in result, JSON.stringify(result));
  return result;
}

const tool = (image: string) =>
  `class: CommandLineTool\nrequirements: {DockerRequirement: {dockerPull: "${image}"}}\nbaseCommand: [say]\narguments: [$(runtime.outdir)]\ninputs: {}\noutputs: {}`;

test("a job in a container shows its engine, and the digest of a local image", async () => {
  const here = (await planned(tool("here:1"))).jobs[0];
  assert.deepEqual(here?.container, { image: "here:1", engine: "podman", version: "1.0", digest: "sha256:here:1" });
  assert.deepEqual(here?.command?.argv, ["say", "/weft/out"]);
  const away = (await planned(tool("away:1"))).jobs[0];
  assert.deepEqual(away?.container, { image: "away:1", engine: "podman", version: "1.0", digest: null });
  assert.equal(fake.fetches, 0);
});

test("a job that runs without the container that its tool requests has a reason", async () => {
  const job = (await planned(tool("here:1"), {}, "none")).jobs[0];
  assert.equal(job?.container?.engine, "none");
  assert.match(job?.container?.why ?? "", /--no-container/);
  assert.deepEqual(job?.command?.argv, ["say", join(scratch, "planned/jobs/main@1/out")]);
});

const NETWORK = `class: Workflow
requirements: {ScatterFeatureRequirement: {}, InlineJavascriptRequirement: {}}
inputs: {list: "string[]"}
outputs: {}
steps:
  each: {run: {class: CommandLineTool, baseCommand: echo, inputs: {x: {type: string, inputBinding: {}}}, outputs: {o: stdout}}, scatter: x, in: {x: list}, out: [o]}
  all: {label: All of them, run: {class: ExpressionTool, inputs: {o: "File[]"}, outputs: {}, expression: "$({})"}, in: {o: each/o}, out: []}`;

test("known jobs have their command and sample; a step with unknown jobs has a reason", async () => {
  const { jobs, steps, jobs_shown_of: total } = await planned(NETWORK, { list: ["a", "b c"] });
  assert.equal(total, 2);
  assert.deepEqual(
    jobs.map(({ sample_id, command, container }) => [sample_id, command?.argv, container]),
    [
      ["s1", ["echo", "a"], null],
      ["s2", ["echo", "b c"], null],
    ],
  );
  assert.deepEqual(steps, [
    { step: "each", jobs_total: 2, jobs_total_is_final: true, unknown_because: [] },
    {
      ...{ step: "all", label: "All of them" },
      jobs_total: 0,
      jobs_total_is_final: false,
      unknown_because: ["waits for the output `o` of step each"],
    },
  ]);
});

const COMPUTED = `class: Workflow
requirements: {ScatterFeatureRequirement: {}, InlineJavascriptRequirement: {}}
inputs: {count: int}
outputs: {}
steps:
  names: {run: {class: ExpressionTool, inputs: {count: int}, outputs: {names: "string[]"}, expression: "\${ if (inputs.count > 3) throw 'too many'; return {names: Array(inputs.count).fill('n').map((n, i) => n + i)}; }"}, in: {count: count}, out: [names]}
  each: {run: {class: CommandLineTool, baseCommand: echo, inputs: {x: {type: string, inputBinding: {}}}, outputs: {o: stdout}}, scatter: x, in: {x: names/names}, out: [o]}
  all: {run: {class: CommandLineTool, baseCommand: cat, inputs: {o: "File[]", n: "string[]"}, outputs: {}}, in: {o: each/o, n: names/names}, out: []}`;

test("steps that only compute values are computed, and later steps are known", async () => {
  const { jobs, steps, jobs_shown_of: total } = await planned(COMPUTED, { count: 2 });
  assert.equal(total, 3);
  assert.deepEqual(
    jobs.map(({ step, command }) => [step, command?.argv]),
    [
      ["names", undefined],
      ["each", ["echo", "n0"]],
      ["each", ["echo", "n1"]],
    ],
  );
  assert.deepEqual(column(steps, "unknown_because"), [[], [], ["waits for the output `o` of step each"]]);
});

test("values that cannot be computed are reported before a job starts", async () => {
  const result = await plan(COMPUTED, { count: 4 });
  assert.ok("failure" in result);
  assert.match(result.failure, /too many/);
});

test("a job that could not start is reported with its place and a hint", async () => {
  const greedy = `class: CommandLineTool\nrequirements: {ResourceRequirement: {ramMin: 1000000000}}\nbaseCommand: a\ninputs: {}\noutputs: {}`;
  const result = await plan(greedy, {});
  assert.ok("failure" in result);
  assert.match(result.failure, /1000000000 MiB of memory/);
  assert.match(result.hint ?? "", /ramMin/);
});

test("planning writes nothing", () => assert.equal(existsSync(scratch), false));
