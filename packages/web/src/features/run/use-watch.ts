import type { Run } from "@weft/shared/records/run-record.ts";
import { useSyncExternalStore } from "react";
import { askForNotices, watchedRuns } from "../../api/live/run-notices.ts";
import { showToast } from "../../ui/toast.tsx";

/** Whether a notification is wanted when the run ends; the browser is asked for its permission on the first `toggle`. */
export function useWatch(run: Pick<Run, "run_id" | "name">) {
  const isWatched = useSyncExternalStore(watchedRuns.subscribe, () => watchedRuns.has(run.run_id));
  const toggle = async (): Promise<void> => {
    if (isWatched) return watchedRuns.remove(run.run_id);
    const permission = await askForNotices();
    if (permission === "granted") watchedRuns.add(run.run_id, run.name);
    else if (permission === "denied") showToast("The browser does not allow notifications of this page");
    else showToast("This browser gives no notifications here: they need https or localhost, and no phone");
  };
  return { isWatched, toggle };
}
