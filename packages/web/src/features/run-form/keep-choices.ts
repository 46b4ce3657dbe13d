import type { RunSettings } from "./run-target.ts";

/** For the files between inputs and outputs; both of those and logs are kept in any case. */
export const KEEP_CHOICES: readonly { readonly id: RunSettings["keepIntermediate"]; readonly label: string }[] = [
  { id: "always", label: "Keep it, so that it can be used again" },
  { id: "on_failure", label: "Free it when the run succeeds" },
  { id: "never", label: "Free it when the run ends" },
];
