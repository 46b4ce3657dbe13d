import { useQuery } from "@tanstack/react-query";
import { shellLine } from "@weft/shared/records/shell-line.ts";
import { jobQuery } from "../../../api/job-queries.ts";
import { commandWithNames } from "./command-with-names.ts";

/** The command line of a job with the names of its files instead of their places; undefined until it is known. */
export function useCommandOfJob(runId: string, jobId: string): string | undefined {
  const isAsked = runId !== "" && jobId !== "";
  const job = useQuery({ ...jobQuery(runId, jobId), enabled: isAsked });
  if (!isAsked) return "";
  if (job.data === undefined) return job.isError ? "" : undefined;
  const { command } = job.data;
  return command === undefined || command === null ? "" : shellLine(commandWithNames(command));
}
