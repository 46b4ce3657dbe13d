import type { RunSettings } from "./run-target.ts";

export const FAILURE_CHOICES: readonly { readonly id: RunSettings["onFailure"]; readonly label: string }[] = [
  { id: "finish_running", label: "Finish running jobs, start nothing more" },
  { id: "continue", label: "Continue with all that does not need it" },
  { id: "stop_now", label: "End running jobs too" },
];

export const CACHE_CHOICES: readonly { readonly id: RunSettings["cache"]; readonly label: string }[] = [
  { id: "use", label: "Take over where they hold" },
  { id: "refresh", label: "Run everything, keep the results" },
  { id: "off", label: "Run everything, keep nothing" },
];
