import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { evaluateResources } from "../command/evaluate-resources.ts";
import type { JobPlan } from "../model/job-plan.ts";
import { planJob } from "../command/plan-job.ts";
import { loadDocument } from "../document/load-document.ts";
import { loadInputObject } from "../document/load-input-object.ts";
import { createEvaluator } from "../expression/evaluate.ts";
import { createQuickjsEngine } from "../expression/testing/quickjs-engine.ts";
import { bindInputs } from "../files/bind-inputs.ts";
import { DISK_FILES } from "../files/testing/disk-files.ts";
import { effectiveRequirements } from "../model/effective-requirements.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { CommandLineTool, ExpressionTool, Process, Workflow } from "../model/process.ts";
import { runExpressionTool } from "../outputs/run-expression-tool.ts";
import { driveNetwork } from "./testing/drive-network.ts";
import {
  diskReader as reader,
  SUITE,
  suiteTests,
  withoutSuite as skip,
  type SuiteTest,
} from "../testing/conformance-suite.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";

const script = createQuickjsEngine();

/** Needs the document's `$namespaces` for its input object. */
const LEFT_OUT = new Set(["format_checking"]);

async function load({ tool, job }: SuiteTest): Promise<{ readonly process: Process; readonly values: CwlObject }> {
  const loaded = await loadDocument(new URL(tool, SUITE).href, { reader });
  const input =
    job === undefined || job === null
      ? { values: {}, requirements: [] }
      : await loadInputObject(new URL(job, SUITE).href, { reader });
  if (loaded.process === undefined) throw new Error(`${tool} does not load`);
  const requirements = [...loaded.process.requirements, ...input.requirements];
  return { process: { ...loaded.process, requirements }, values: input.values };
}

async function bind(process: CommandLineTool | ExpressionTool, values: CwlObject) {
  const requirements = effectiveRequirements([process]);
  const evaluator = createEvaluator({ script, requirements, limits: TEST_LIMITS });
  const inputs = await bindInputs({ process, values, files: DISK_FILES, evaluator, requirements });
  return { requirements, evaluator, inputs };
}

async function plan(tool: CommandLineTool, values: CwlObject): Promise<JobPlan> {
  const { requirements, evaluator, inputs } = await bind(tool, values);
  const { coresMin, ramMin, tmpdirMin, outdirMin } = await evaluateResources(requirements, inputs, evaluator);
  const paths = { outdir: "/job/out", tmpdir: "/job/tmp", stagedir: "/job/in" };
  const resources = { cores: coresMin, ram: ramMin, tmpdirSize: tmpdirMin, outdirSize: outdirMin };
  return planJob({ tool, requirements, inputs, paths, resources, evaluator });
}

async function evaluate(tool: ExpressionTool, values: CwlObject): Promise<CwlObject> {
  return runExpressionTool({ tool, files: DISK_FILES, ...(await bind(tool, values)) });
}

/** True for a workflow that needs no program at all. */
const isPure = ({ steps }: Workflow): boolean =>
  steps.every(({ run }) => run.class === "ExpressionTool" || (run.class === "Workflow" && isPure(run)));

/** Files are compared by name only: their location depends on the runner. */
const comparable = (value: CwlValue): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, inner: CwlValue) =>
      Object(inner).class === "File"
        ? { class: "File", name: Object(inner).basename ?? Object(inner).location?.split("/").at(-1) }
        : inner,
    ),
  );

/** The checked part of a test; undefined if its programs would have to run. */
function checkOf(
  { output: expected = {}, should_fail: fails = false }: SuiteTest,
  process: Process,
  values: CwlObject,
): (() => Promise<void>) | undefined {
  switch (process.class) {
    case "CommandLineTool":
      return fails ? undefined : () => checkPlan(process, values, expected);
    case "ExpressionTool":
      return fails
        ? () => assert.rejects(evaluate(process, values))
        : async () => assert.deepEqual(comparable(await evaluate(process, values)), comparable(expected));
    case "Workflow":
      return isPure(process) ? () => checkNetwork(process, values, fails ? undefined : expected) : undefined;
    case "Operation":
      return undefined;
  }
}

async function checkPlan(tool: CommandLineTool, values: CwlObject, expected: CwlObject): Promise<void> {
  const { argv } = await plan(tool, values);
  // The suite's `args.py` returns its arguments as the output `args`.
  if (Array.isArray(expected["args"]) && argv[0] === "python") assert.deepEqual(argv.slice(2), expected["args"]);
}

async function checkNetwork(workflow: Workflow, values: CwlObject, expected: CwlObject | undefined): Promise<void> {
  const { ended } = await driveNetwork(workflow, values, { files: DISK_FILES });
  assert.equal(ended?.status, expected === undefined ? "failed" : "success");
  if (expected !== undefined) assert.deepEqual(comparable((ended?.outputs ?? null) as CwlValue), comparable(expected));
}

const checks = new Map<string, () => Promise<void>>();
for (const entry of suiteTests().filter(({ id }) => !LEFT_OUT.has(id))) {
  const { process, values } = await load(entry);
  const check = checkOf(entry, process, values);
  if (check !== undefined) checks.set(entry.id, check);
}

describe("the conformance suite, except for tests that run programs", { skip }, () => {
  for (const [id, check] of checks) test(id, check);
});
