import type { RunOptions } from "@weft/shared/records/run-record.ts";

type Choice = Pick<RunOptions, "on_out_of_memory">;

/** The policies for a job that runs out of memory; the first is the default. */
export const MEMORY_CHOICES: readonly { readonly id: string; readonly label: string; readonly option: Choice }[] = [
  { id: "fail", label: "Fail the job", option: {} },
  { id: "2", label: "Retry with 2 × the memory", option: { on_out_of_memory: { multiply: 2 } } },
  { id: "4", label: "Retry with 4 × the memory", option: { on_out_of_memory: { multiply: 4 } } },
];
