import type { Command } from "./job-record.ts";
import type { Immutable } from "./immutable.ts";

/** A command as one line for a POSIX shell, with its redirections. */
export function shellLine(command: Pick<Immutable<Command>, "argv" | "stdin" | "stdout" | "stderr">): string {
  const parts = command.argv.map(shellWord);
  if (command.stdin !== undefined) parts.push("<", shellWord(command.stdin));
  if (command.stdout !== undefined) parts.push(">", shellWord(command.stdout));
  if (command.stderr !== undefined) parts.push("2>", shellWord(command.stderr));
  return parts.join(" ");
}

/**
 * Quotes an argument as one word for a POSIX shell, for display. `quoteForShell` in `packages/cwl` quotes commands that
 * run; neither package may import the other, and a test compares the two.
 */
export function shellWord(word: string): string {
  if (word !== "" && /^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
