import type { RunSettings } from "./run-target.ts";

/** Outputs and logs are kept in any case. */
export const KEEP_CHOICES: readonly { readonly id: RunSettings["keepIntermediate"]; readonly label: string }[] = [
  { id: "always", label: "Keep them, so that they can be used again" },
  { id: "on_failure", label: "Free them when the run succeeds" },
  { id: "never", label: "Free them when the run ends" },
];
