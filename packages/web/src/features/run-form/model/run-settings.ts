import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";

/** Settings of a run other than its inputs. */
export interface RunSettings {
  readonly name: string;
  readonly onFailure: NonNullable<RunOptions["on_failure"]>;
  /** As typed; "" for no limit. */
  readonly maxParallelJobs: string;
  /** As typed; "" for the server's default. */
  readonly retries: string;
  /** An id of MEMORY_CHOICES. */
  readonly onOutOfMemory: string;
  /** As typed; "" for 0. */
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

/** Settings that cannot be sent as they were typed. */
export function settingsProblems(settings: RunSettings): readonly string[] {
  const problemOf = (setting: keyof typeof NUMBERS): string[] => {
    const typed = settings[setting].trim();
    return Number.isNaN(Number(typed)) ? [`${NUMBERS[setting]}: “${typed}” is not a number`] : [];
  };
  return [...problemOf("maxParallelJobs"), ...problemOf("retries"), ...problemOf("priority")];
}
