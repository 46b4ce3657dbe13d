import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";

/** Settings of a run other than its inputs. */
export interface RunSettings {
  readonly name: string;
  readonly onFailure: NonNullable<RunOptions["on_failure"]>;
  /** The maximum as typed; "" for no limit. */
  readonly maxParallelJobs: string;
  /** The number as typed; "" for the server's default. */
  readonly retries: string;
  /** An id of MEMORY_CHOICES. */
  readonly onOutOfMemory: string;
  /** The priority as typed; "" for 0. */
  readonly priority: string;
  readonly keepIntermediate: NonNullable<RunOptions["keep_intermediate"]>;
  readonly cache: NonNullable<RunOptions["cache"]>;
  /** Output destinations by output id, as typed; "" for none. */
  readonly places: Readonly<Record<string, string>>;
  /** Whether to write a provenance file next to each copy. */
  readonly sidecars: boolean;
}

export const START_SETTINGS: RunSettings = {
  name: "",
  onFailure: DEFAULT_FAILURE_POLICY,
  maxParallelJobs: "",
  retries: "",
  onOutOfMemory: "fail",
  priority: "",
  keepIntermediate: "always",
  cache: "use",
  places: {},
  sidecars: false,
};

const NUMBERS = { maxParallelJobs: "Max parallel jobs", retries: "Retries per job", priority: "Priority" } as const;

/** The policies for a job that runs out of memory; the first is the default. */
export const MEMORY_CHOICES: readonly { readonly id: string; readonly label: string; readonly option: Choice }[] = [
  { id: "fail", label: "Fail the job", option: {} },
  { id: "2", label: "Retry with 2 × the memory", option: { on_out_of_memory: { multiply: 2 } } },
  { id: "4", label: "Retry with 4 × the memory", option: { on_out_of_memory: { multiply: 4 } } },
];

/** Outputs and logs are always kept. */
export const KEEP_CHOICES: readonly { readonly id: RunSettings["keepIntermediate"]; readonly label: string }[] = [
  { id: "always", label: "Keep, so later runs can reuse them" },
  { id: "on_failure", label: "Delete when the run succeeds" },
  { id: "never", label: "Delete when the run finishes" },
];

export const FAILURE_CHOICES: readonly { readonly id: RunSettings["onFailure"]; readonly label: string }[] = [
  { id: "continue", label: "Continue with independent jobs" },
  { id: "finish_running", label: "Let running jobs finish, start no new ones" },
  { id: "stop_now", label: "Stop everything immediately" },
];

export const CACHE_CHOICES: readonly { readonly id: RunSettings["cache"]; readonly label: string }[] = [
  { id: "use", label: "Reuse when still valid" },
  { id: "refresh", label: "Run everything, cache the results" },
  { id: "off", label: "Run everything, don't cache the results" },
];

/** The words of the form for a choice. */
export function labelOf(choices: readonly { readonly id: string; readonly label: string }[], chosen: string): string {
  return choices.find(({ id }) => id === chosen)?.label ?? chosen;
}

/** Settings that cannot be sent as they were typed. */
export function settingsProblems(settings: RunSettings): readonly string[] {
  const problemOf = (setting: keyof typeof NUMBERS): string[] => {
    const typed = settings[setting].trim();
    return Number.isNaN(Number(typed)) ? [`${NUMBERS[setting]}: "${typed}" is not a number`] : [];
  };
  return [...problemOf("maxParallelJobs"), ...problemOf("retries"), ...problemOf("priority")];
}

type Choice = Pick<RunOptions, "on_out_of_memory">;
