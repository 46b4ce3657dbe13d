import type { ProcessKind } from "@weft/shared/records/draft-record.ts";
import { useSearchParams } from "react-router-dom";
import { AuthorGate } from "../components/role-gate.tsx";
import { useCommandOfJob } from "../features/workbench/from-run/command-with-names.ts";
import { NetworkFromRun } from "../features/workbench/from-run/network-from-run.tsx";
import { Drafts, NewDraft } from "../features/workbench/new-draft.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** `/tools/new?run=&job=` and `/networks/new?run=&step=&after=` */
export default function NewDraftRoute({ kind }: { readonly kind: ProcessKind }) {
  const crumb = kind === "tool" ? { label: "Tools", to: "/tool" } : { label: "Networks", to: "/networks" };
  return (
    <>
      <PageHeading title={`New ${kind}`} documentTitle={`New ${kind}`} crumbs={[crumb]} />
      <AuthorGate>
        <div className="space-y-6">
          <Beginning kind={kind} />
          <Drafts isShown={(draft) => draft.kind === kind} />
        </div>
      </AuthorGate>
    </>
  );
}

/** Creates an empty draft, or one from a run. */
function Beginning({ kind }: { readonly kind: ProcessKind }) {
  const [params] = useSearchParams();
  const [runId, jobId] = [params.get("run") ?? "", params.get("job") ?? ""];
  const command = useCommandOfJob(runId, jobId);
  if (kind === "network" && runId !== "")
    return <NetworkFromRun runId={runId} steps={params.getAll("step")} after={params.get("after") ?? ""} />;
  // The command field starts with the command of the job.
  return command === undefined ? <Skeleton rows={6} /> : <NewDraft kind={kind} command={command} />;
}
