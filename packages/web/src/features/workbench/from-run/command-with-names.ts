import type { Command } from "@weft/shared/records/job-record.ts";

/** Places of files mean nothing outside of the job. */
export function commandWithNames({
  argv,
  stdin,
  stdout,
  stderr,
}: Pick<Command, "argv" | "stdin" | "stdout" | "stderr">) {
  const nameOf = (word: string): string => word.replaceAll(/(?<=^|=)\/(?:[^/=:]+\/)+(?=[^/=:]+$)/g, "");
  const [program = "", ...others] = argv;
  return {
    argv: [program, ...others.map(nameOf)],
    ...(stdin === undefined ? {} : { stdin: nameOf(stdin) }),
    // Weft keeps what a tool does not redirect under these names.
    ...(stdout === undefined || stdout === "stdout" ? {} : { stdout: nameOf(stdout) }),
    ...(stderr === undefined || stderr === "stderr" ? {} : { stderr: nameOf(stderr) }),
  };
}
