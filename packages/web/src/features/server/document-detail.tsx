import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { WesDocument, WesDocumentDetail } from "@weft/shared/records/wes-document-record.ts";
import { Link } from "react-router-dom";
import { SourceView } from "../../components/source-view.tsx";
import { setApproval, wesDocumentKeys, wesDocumentQuery } from "../../api/wes-document-queries.ts";
import { useRights } from "../../api/session-query.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { Facts } from "../../ui/facts.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { showError, showToast } from "../../ui/toast.tsx";

/** A document with its files, so that an admin knows what they approve. */
export function DocumentDetail({ digest }: { readonly digest: string }) {
  const document = useQuery(wesDocumentQuery(digest));
  return (
    <>
      <p className="mb-3">
        <Link className="link" to="/server?tab=documents">
          All WES documents
        </Link>
      </p>
      <QueryView query={document}>
        {(data) => (
          <div className="space-y-5">
            <div className="flex flex-wrap items-center gap-3">
              <h2 className="min-w-0 flex-1 text-lg font-semibold wrap-anywhere">{data.name}</h2>
              <ApprovalButton document={data} />
            </div>
            <Facts facts={factsOf(data)} />
            <SourceView source={textsOf(data)} issues={[]} />
          </div>
        )}
      </QueryView>
    </>
  );
}

function factsOf(document: WesDocumentDetail) {
  const { approved_by: by, approved_at: at } = document;
  return [
    ["Approval", by === null || at === null ? APPROVAL_NEEDED : `by ${by}, ${formatDateTime(at)}`],
    ["Added", `by ${document.added_by}, ${formatDateTime(document.added_at)}`],
    ["Named by the client", document.source],
    ["Starts with", document.primary],
    [
      "Digest",
      <span key="digest" className="code wrap-anywhere">
        {document.digest}
      </span>,
    ],
    ["Runs", document.runs],
  ] as const;
}

const APPROVAL_NEEDED = "not approved: only users who may add documents can run it";

/** Binary and very large files are named with their checksum. */
function textsOf({ source_files: files }: WesDocumentDetail) {
  return files.map(({ file, text, bytes, sha256 }) => ({
    file,
    text: text ?? `Not shown: ${formatBytes(bytes)}, SHA-256 ${sha256}`,
  }));
}

function ApprovalButton({ document }: { readonly document: WesDocument }) {
  const { has } = useRights();
  const queries = useQueryClient();
  const isApproved = document.approved_by !== null;
  const change = useMutation({
    mutationFn: () => setApproval(document.digest, !isApproved),
    onSuccess: async () => {
      showToast(isApproved ? `${document.name}: approval withdrawn` : `${document.name} approved. Runners can run it.`);
      await queries.invalidateQueries({ queryKey: wesDocumentKeys.all });
    },
    onError: (error) => showError(`${document.name} was not changed: ${error.message}`),
  });
  if (!has("admin")) return null;
  return (
    <button
      type="button"
      className={`btn ${isApproved ? "" : "btn-primary"}`}
      disabled={change.isPending}
      onClick={() => change.mutate()}
    >
      {isApproved ? "Withdraw approval" : "Approve for runners"}
    </button>
  );
}
