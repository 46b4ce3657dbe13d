import { quoteForShell } from "@weft/cwl/command/quote-for-shell.ts";
import type { Command } from "@weft/shared/records/job-record.ts";

/** A command as one line for a POSIX shell, with its redirections. */
export function shellLine({ argv, stdin, stdout, stderr }: Omit<Command, "workdir" | "env">): string {
  const streams = [
    ["<", stdin],
    [">", stdout],
    ["2>", stderr],
  ] as const;
  const redirections = streams.flatMap(([sign, path]) =>
    path === undefined ? [] : [`${sign} ${quoteForShell(path)}`],
  );
  return [...argv.map(quoteForShell), ...redirections].join(" ");
}
