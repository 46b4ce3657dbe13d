import type { WeftEvent } from "@weft/shared/events/event.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { basePath } from "../base-path.ts";

/** Maximum number of watched runs; the oldest is dropped first. */
const MAX_WATCHED = 50;

/** Names of the runs whose end the user wants to be notified of, by id. Kept in the browser. */
export class WatchedRuns {
  readonly #storage: Pick<Storage, "getItem" | "setItem">;
  readonly #listeners = new Set<() => void>();

  constructor(storage: Pick<Storage, "getItem" | "setItem">) {
    this.#storage = storage;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  has(runId: string): boolean {
    return this.#read().some(([id]) => id === runId);
  }

  add(runId: string, name: string): void {
    this.#write([...this.#read().filter(([id]) => id !== runId), [runId, name]]);
  }

  remove(runId: string): void {
    this.#write(this.#read().filter(([id]) => id !== runId));
  }

  /** Notices for watched runs that end in these events; stops watching each of them. */
  take(events: readonly WeftEvent[]): readonly RunNotice[] {
    const ended = events.filter((event) => event.type === "run.ended");
    if (ended.length === 0) return [];
    const watched = new Map(this.#read());
    return ended.flatMap(({ run_id: runId, data }): readonly RunNotice[] => {
      const name = watched.get(runId);
      if (name === undefined) return [];
      this.remove(runId);
      return [{ runId, title: `${STATE_LOOKS[data.state].word}: ${name}` }];
    });
  }

  #read(): readonly (readonly [string, string])[] {
    const parsed: unknown = JSON.parse(this.#storage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(parsed) ? parsed.flatMap(parseEntry) : [];
  }

  #write(entries: readonly (readonly [string, string])[]): void {
    this.#storage.setItem(STORAGE_KEY, JSON.stringify(entries.slice(-MAX_WATCHED)));
    for (const listener of this.#listeners) listener();
  }
}

const STORAGE_KEY = "weft-watched-runs";

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

function parseEntry(entry: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(entry)) return [];
  const [id, name] = entry as readonly unknown[];
  return typeof id === "string" && typeof name === "string" ? [[id, name]] : [];
}
