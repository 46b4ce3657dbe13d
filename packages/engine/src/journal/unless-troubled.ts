import type { Journal } from "./journal.ts";

/**
 * Resolves when `work` has ended or failed, or as soon as the log cannot be written, because then it may wait forever.
 */
export async function unlessTroubled(
  work: Promise<unknown>,
  journal: Pick<Journal, "trouble" | "onTrouble">,
): Promise<void> {
  const { promise: troubled, resolve } = Promise.withResolvers<void>();
  const stopListening = journal.onTrouble(() => resolve());
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  if (journal.trouble === undefined) await Promise.race([ended, troubled]);
  stopListening();
}
