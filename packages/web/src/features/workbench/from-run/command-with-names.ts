import { useQuery } from "@tanstack/react-query";
import type { Command } from "@weft/shared/records/job-record.ts";
import { shellLine } from "@weft/shared/records/shell-line.ts";
import { jobQuery } from "../../../api/queries/job-queries.ts";

/** Replaces paths of files, which are meaningless outside of the job, with names. */
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
    ...(stdout === undefined || isLog(stdout, "stdout") ? {} : { stdout: nameOf(stdout) }),
    ...(stderr === undefined || isLog(stderr, "stderr") ? {} : { stderr: nameOf(stderr) }),
  };
}

/** True for the log that Weft keeps next to the output directory if a tool does not redirect a stream. */
function isLog(path: string, name: "stdout" | "stderr"): boolean {
  return path === name || (path.endsWith(`/${name}`) && !path.endsWith(`/out/${name}`));
}

/** The command line of a job with the names of its files instead of their paths; undefined until it is known. */
export function useCommandOfJob(runId: string, jobId: string): string | undefined {
  const isAsked = runId !== "" && jobId !== "";
  const job = useQuery({ ...jobQuery(runId, jobId), enabled: isAsked });
  if (!isAsked) return "";
  if (job.data === undefined) return job.isError ? "" : undefined;
  const { command } = job.data;
  return command === undefined || command === null ? "" : shellLine(commandWithNames(command));
}
