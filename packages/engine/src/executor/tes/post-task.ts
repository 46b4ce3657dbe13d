import type { Log } from "../../log.ts";
import type { TaskDocument } from "./task-document.ts";
import type { TesClient } from "./tes-client.ts";
import type { Clock } from "../tracker.ts";

export interface Posting {
  readonly client: Pick<TesClient, "create" | "find">;
  readonly clock: Clock;
  readonly pollMs: number;
  readonly log: Log;
  /** Whether the attempt has been given up. */
  readonly isWithdrawn: () => boolean;
  /** Aborted when no caller waits any more; the next server finds the tasks that were sent. */
  readonly signal: AbortSignal;
}

export type Posted =
  /** `isCertain` is false if another request for it may still arrive. */
  | { readonly kind: "accepted"; readonly id: string; readonly isCertain: boolean }
  | { readonly kind: "rejected"; readonly message: string }
  /** The server does not have it and will not get it. */
  | { readonly kind: "withdrawn" };

/** How often to look for a task at the server before it is posted again. */
const LOOKS = 2;

/**
 * Posts a task until the server has it or refuses it. If a response was lost, looks for the task's key at the server before
 * posting again, because it may have accepted the task. Rejects when `signal` aborts.
 */
export async function postTask(document: TaskDocument, posting: Posting): Promise<Posted> {
  const { client, clock, pollMs, log, isWithdrawn, signal } = posting;
  for (let isCertain = true; !isWithdrawn(); isCertain = false) {
    signal.throwIfAborted();
    const created = await client.create(document);
    if (created.kind === "answered") return { kind: "accepted", id: created.value, isCertain };
    if (created.kind === "refused") return { kind: "rejected", message: created.message };
    const error = created.kind === "silent" ? created.message : "there is no such URL";
    log("warn", "the TES server did not confirm a task; asking for it", { key: document.name, error });
    for (let look = 0; look < LOOKS; look++) {
      // The server may still be working on it behind a gateway.
      await clock.pause(pollMs, signal);
      const id = await findPosted(document.name, posting);
      if (id !== undefined) return { kind: "accepted", id, isCertain: false };
    }
  }
  return { kind: "withdrawn" };
}

/** Waits until the server answers whether it has a task with the key. */
async function findPosted(key: string, { client, clock, pollMs, signal }: Posting): Promise<string | undefined> {
  for (;;) {
    const found = await client.find(key);
    if (found.kind === "answered") return found.value[0]?.id;
    await clock.pause(pollMs, signal);
  }
}
