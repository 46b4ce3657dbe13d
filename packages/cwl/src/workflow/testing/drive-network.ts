import { CwlFailure } from "../../cwl-failure.ts";
import { createEvaluator } from "../../expression/evaluate.ts";
import { createQuickjsEngine } from "../../expression/testing/quickjs-engine.ts";
import { bindInputs } from "../../files/bind-inputs.ts";
import type { FileAccess } from "../../files/file-access.ts";
import { createMemoryFiles } from "../../files/testing/memory-files.ts";
import { effectiveRequirements } from "../../model/effective-requirements.ts";
import type { CwlObject } from "../../model/cwl-value.ts";
import type { Workflow } from "../../model/process.ts";
import { runExpressionTool } from "../../outputs/run-expression-tool.ts";
import type { ElementNames } from "../frame.ts";
import type { Advance, Call, CallOutcome } from "../advance.ts";
import { NetworkProgress } from "../network-progress.ts";
import type { CwlLimits } from "../../limits.ts";
import { SMALL_LIMITS, TEST_LIMITS } from "../../testing/test-limits.ts";

/** Returns how a call ends; undefined for an expression tool that should really run. */
export type ScriptedExecutor = (call: Call, progress: NetworkProgress) => CallOutcome | undefined;

export interface DriveOptions {
  readonly execute?: ScriptedExecutor;
  readonly files?: FileAccess;
  readonly sampleNames?: ElementNames;
  readonly limits?: CwlLimits;
  /** The index of the waiting call that ends next; by default the first. */
  readonly choose?: (waiting: readonly Call[]) => number;
}

export interface Drive {
  readonly progress: NetworkProgress;
  readonly calls: readonly Call[];
  readonly failures: Advance["failures"];
  readonly ended: Advance["ended"];
}

type NetworkOptions = ConstructorParameters<typeof NetworkProgress>[0];

const script = createQuickjsEngine();

/** A network in which nothing has started, without files and with small limits. */
export function createProgress(workflow: Workflow, more: Partial<NetworkOptions> = {}): NetworkProgress {
  return new NetworkProgress({
    workflow,
    requirements: effectiveRequirements([]),
    evaluatorFor: (requirements) => createEvaluator({ script, requirements, limits: more.limits ?? TEST_LIMITS }),
    files: createMemoryFiles({}),
    limits: SMALL_LIMITS,
    openCalls: 20,
    giveWay: async () => {},
    ...more,
  });
}

/** Runs a whole workflow with a scripted executor. */
export async function driveNetwork(workflow: Workflow, inputs: CwlObject, options: DriveOptions = {}): Promise<Drive> {
  const { files = createMemoryFiles({}), choose = () => 0, execute, ...more } = options;
  const progress = createProgress(workflow, { files, ...more });
  const drive = {
    progress,
    calls: [] as Call[],
    failures: [] as Advance["failures"][number][],
    ended: undefined as Advance["ended"],
  };
  const waiting: Call[] = [];
  const take = async ({ calls, failures, isPending, ended }: Advance): Promise<void> => {
    drive.calls.push(...calls);
    waiting.push(...calls);
    drive.failures.push(...failures);
    drive.ended = ended ?? drive.ended;
    if (isPending) await take(await progress.nextCalls());
  };
  const requirements = effectiveRequirements([]).enter(workflow);
  const evaluator = createEvaluator({ script, requirements, limits: more.limits ?? TEST_LIMITS });
  await take(
    await progress.start(await bindInputs({ process: workflow, values: inputs, files, evaluator, requirements })),
  );
  while (waiting.length > 0) {
    const [call] = waiting.splice(choose(waiting), 1);
    if (call !== undefined)
      await take(await progress.callEnded(call.id, execute?.(call, progress) ?? (await runCall(call, files))));
  }
  return drive;
}

async function runCall({ process, requirements, inputs: values }: Call, files: FileAccess): Promise<CallOutcome> {
  if (process.class !== "ExpressionTool") throw new Error(`the test does not say how ${process.name} ends`);
  const evaluator = createEvaluator({ script, requirements, limits: TEST_LIMITS });
  try {
    const inputs = await bindInputs({ process, values, files, evaluator, requirements });
    return {
      status: "success",
      outputs: await runExpressionTool({ tool: process, requirements, inputs, files, evaluator }),
    };
  } catch (error) {
    if (error instanceof CwlFailure) return { status: "failed" };
    throw error;
  }
}
