import type { RunOptions } from "@weft/shared/records/run-record.ts";

type Choice = Pick<RunOptions, "on_out_of_memory">;

/** What becomes of a job that ran out of memory; the first is what happens without a word. */
export const MEMORY_CHOICES: readonly { readonly id: string; readonly label: string; readonly option: Choice }[] = [
  { id: "fail", label: "It fails like any other", option: {} },
  { id: "2", label: "Try again with twice the memory", option: { on_out_of_memory: { multiply: 2 } } },
  { id: "4", label: "Try again with four times the memory", option: { on_out_of_memory: { multiply: 4 } } },
];
