import type { RunSettings } from "./model/run-settings.ts";

/** Outputs and logs are always kept. */
export const KEEP_CHOICES: readonly { readonly id: RunSettings["keepIntermediate"]; readonly label: string }[] = [
  { id: "always", label: "Keep, so later runs can reuse them" },
  { id: "on_failure", label: "Delete when the run succeeds" },
  { id: "never", label: "Delete when the run finishes" },
];
