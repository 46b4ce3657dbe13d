import type { RunSettings } from "./model/run-settings.ts";

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
