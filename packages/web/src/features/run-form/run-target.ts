import type { CreateRun, RunOptions } from "@weft/shared/records/run-record.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import type { InputValues } from "./model/form-store.ts";

/** What a form starts: a network or a tool in one version, with what its document says of its inputs. */
export interface RunTarget {
  readonly kind: "network" | "tool";
  readonly id: string;
  readonly version: string | null;
  readonly inputs: readonly InputRecord[];
  readonly examples: readonly { readonly name: string; readonly inputs: InputValues }[];
}

/** What is asked about a run besides its inputs. */
export interface RunSettings {
  readonly name: string;
  readonly onFailure: NonNullable<RunOptions["on_failure"]>;
  /** As typed; "" for no bound. */
  readonly maxParallelJobs: string;
}

export const START_SETTINGS: RunSettings = { name: "", onFailure: "finish_running", maxParallelJobs: "" };

/** The body of POST /api/runs. */
export function createRunBody(target: RunTarget, inputs: InputValues, settings: RunSettings): CreateRun {
  const parallel = Number(settings.maxParallelJobs);
  const options: RunOptions = {
    ...(settings.onFailure === "finish_running" ? {} : { on_failure: settings.onFailure }),
    ...(settings.maxParallelJobs.trim() === "" || Number.isNaN(parallel) ? {} : { max_parallel_jobs: parallel }),
  };
  return {
    [target.kind]: target.id,
    ...(target.version === null ? {} : { version: target.version }),
    ...(settings.name.trim() === "" ? {} : { name: settings.name.trim() }),
    inputs: { ...inputs },
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

/** Files that only say which program a tool runs have a default that nobody needs to change: they come last. */
export function isAdvanced(input: InputRecord): boolean {
  return input.default !== undefined && /^(File|Directory)(\[\])?\??$/.test(input.type_text);
}
