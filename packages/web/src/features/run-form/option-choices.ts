import type { RunSettings } from "./run-target.ts";

export const FAILURE_CHOICES: readonly { readonly id: RunSettings["onFailure"]; readonly label: string }[] = [
  { id: "continue", label: "Continue with independent jobs" },
  { id: "finish_running", label: "Let running jobs finish, start no new ones" },
  { id: "stop_now", label: "Stop everything immediately" },
];

export const CACHE_CHOICES: readonly { readonly id: RunSettings["cache"]; readonly label: string }[] = [
  { id: "use", label: "Take over where they hold" },
  { id: "refresh", label: "Run everything, keep the results" },
  { id: "off", label: "Run everything, keep nothing" },
];
