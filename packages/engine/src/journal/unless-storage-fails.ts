import type { Journal } from "./journal.ts";

/**
 * Resolves when `work` has ended or failed, or as soon as the log cannot be written, because then it may wait forever.
 */
export async function unlessStorageFails(
  work: Promise<unknown>,
  journal: Pick<Journal, "storageProblem" | "onStorageProblem">,
): Promise<void> {
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const stopListening = journal.onStorageProblem(() => resolve());
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  if (journal.storageProblem === undefined) await Promise.race([ended, failed]);
  stopListening();
}
