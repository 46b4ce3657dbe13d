import type { WeftEvent } from "@weft/shared/events/event.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { ofAccount } from "../../api/account.ts";
import { Persisted } from "../../ui/persisted.ts";
import { basePath } from "../../api/base-path.ts";

/** Maximum number of watched runs; the oldest is dropped first. */
const MAX_WATCHED = 50;

/** Id and name of the runs whose end the user wants to be notified of. */
type Watched = readonly (readonly [id: string, name: string])[];

export const watchedRuns = new Persisted("weft-watched-runs", readWatched, ofAccount);

export function withWatched(watched: Watched, runId: string, name: string): Watched {
  return [...watched.filter(([id]) => id !== runId), [runId, name] as const].slice(-MAX_WATCHED);
}

/** Notices for the watched runs that end in these events. */
export function noticesOf(watched: Watched, events: readonly WeftEvent[]): readonly RunNotice[] {
  const names = new Map(watched);
  return events.flatMap((event): readonly RunNotice[] => {
    const name = event.type === "run.ended" ? names.get(event.run_id) : undefined;
    if (event.type !== "run.ended" || name === undefined) return [];
    return [{ runId: event.run_id, title: `${STATE_LOOKS[event.data.state].word}: ${name}` }];
  });
}

/** Shows a system notification for each watched run that ends in these events; a click opens the run. */
export function notifyOfEnds(events: readonly WeftEvent[]): void {
  const notices = noticesOf(watchedRuns.get(), events);
  if (notices.length === 0) return;
  const ended = new Set(notices.map(({ runId }) => runId));
  watchedRuns.set(watchedRuns.get().filter(([id]) => !ended.has(id)));
  for (const { runId, title } of notices) {
    const notice = new Notification(title, { tag: runId, body: "Open the run" });
    notice.addEventListener("click", () => {
      window.focus();
      location.assign(`${basePath}/run/${runId}`);
    });
  }
}

type NoticePermission = "granted" | "denied" | "unsupported";

/** Asks for the permission to notify; call it only from a click, as browsers require. */
export async function askForNotices(): Promise<NoticePermission> {
  // Outside https and localhost browsers have no notifications, and Android has them for installed apps only.
  if (!("Notification" in globalThis) || /Android/.test(navigator.userAgent)) return "unsupported";
  return (await Notification.requestPermission()) === "granted" ? "granted" : "denied";
}

/** The content of a notification. */
interface RunNotice {
  readonly runId: string;
  readonly title: string;
}

export function readWatched(kept: unknown): Watched {
  return Array.isArray(kept) ? kept.flatMap(parseEntry) : [];
}

function parseEntry(entry: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(entry)) return [];
  const [id, name] = entry as readonly unknown[];
  return typeof id === "string" && typeof name === "string" ? [[id, name]] : [];
}
