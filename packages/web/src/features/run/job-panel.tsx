import { useQuery } from "@tanstack/react-query";
import { jobQuery } from "../../api/job-queries.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { SidePanel } from "../../ui/side-panel.tsx";
import { JobDetail } from "./job-detail.tsx";

/** One job in a side panel. */
export default function JobPanel({
  runId,
  jobId,
  onClose,
}: {
  readonly runId: string;
  readonly jobId: string;
  readonly onClose: () => void;
}) {
  const job = useQuery(jobQuery(runId, jobId));
  return (
    <SidePanel title={jobId} onClose={onClose}>
      <QueryView query={job}>{(data) => <JobDetail job={data} />}</QueryView>
    </SidePanel>
  );
}
