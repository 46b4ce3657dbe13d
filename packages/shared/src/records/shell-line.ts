import type { Command } from "./job-record.ts";

/** A command as one line for a POSIX shell, with its redirections. */
export function shellLine(command: Pick<Command, "argv" | "stdin" | "stdout" | "stderr">): string {
  const parts = command.argv.map(shellWord);
  if (command.stdin !== undefined) parts.push("<", shellWord(command.stdin));
  if (command.stdout !== undefined) parts.push(">", shellWord(command.stdout));
  if (command.stderr !== undefined) parts.push("2>", shellWord(command.stderr));
  return parts.join(" ");
}

/** One argument, quoted where a shell would read it differently. The language package has its own for the commands that run. */
export function shellWord(word: string): string {
  if (word !== "" && /^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
