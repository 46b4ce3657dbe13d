import type { Run } from "@weft/shared/records/run-record.ts";
import { useSyncExternalStore } from "react";
import { askForNotices, watchedRuns } from "../../api/live/run-notices.ts";
import { showToast } from "../../ui/toast.tsx";

/** Whether the user wants a notification when the run ends; the first `toggle` asks the browser for permission. */
export function useWatch(run: Pick<Run, "run_id" | "name">) {
  const isWatched = useSyncExternalStore(watchedRuns.subscribe, () => watchedRuns.has(run.run_id));
  const toggle = async (): Promise<void> => {
    if (isWatched) return watchedRuns.remove(run.run_id);
    const permission = await askForNotices();
    if (permission === "granted") watchedRuns.add(run.run_id, run.name);
    else if (permission === "denied") showToast("Notifications are blocked in your browser settings");
    else showToast("Notifications need HTTPS (or localhost) and a desktop browser");
  };
  return { isWatched, toggle };
}
