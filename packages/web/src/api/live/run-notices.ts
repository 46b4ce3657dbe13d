import type { WeftEvent } from "@weft/shared/events/event.ts";
import { basePath } from "../base-path.ts";
import { WatchedRuns } from "./watched-runs.ts";

/** The runs that are watched in this browser. */
export const watchedRuns = new WatchedRuns(localStorage);

/** Shows a system notification for each watched run that ends in these events; a click opens the run. */
export function notifyOfEnds(events: readonly WeftEvent[]): void {
  for (const { runId, title } of watchedRuns.take(events)) {
    const notice = new Notification(title, { tag: runId, body: "Open the run" });
    notice.addEventListener("click", () => {
      window.focus();
      location.assign(`${basePath}/run/${runId}`);
    });
  }
}

export type NoticePermission = "granted" | "denied" | "unsupported";

/** Asks for the permission to notify; call it only from a click, as browsers require. */
export async function askForNotices(): Promise<NoticePermission> {
  // Outside https and localhost browsers have no notifications, and Android has them for installed apps only.
  if (!("Notification" in globalThis) || /Android/.test(navigator.userAgent)) return "unsupported";
  return (await Notification.requestPermission()) === "granted" ? "granted" : "denied";
}
