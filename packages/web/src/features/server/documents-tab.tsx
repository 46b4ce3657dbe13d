import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { WesDocument, WesDocumentDetail } from "@weft/shared/records/wes-document-record.ts";
import { api } from "../../api/client.ts";
import { routeQuery, useChange } from "../../api/route-query.ts";
import { useRights } from "../../api/session-query.ts";
import { SourceView } from "../../components/process/source-view.tsx";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { links } from "../../format/links.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/code-block.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Refusal } from "../../ui/form.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Facts } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { NameLink, TextLink } from "../../ui/text-link.tsx";

const COLUMNS: readonly Column<WesDocument>[] = [
  {
    label: "Document",
    bare: true,
    render: ({ name, kind, digest }) => (
      <div>
        <NameLink to={links.wesDocument(digest)}>{name}</NameLink>
        <span className="ml-1.5 text-soft">{kind}</span>
        <span className="code block text-soft">{digest.slice(0, 19)}…</span>
      </div>
    ),
  },
  {
    label: "Named by the client",
    className: "wrap-anywhere",
    render: ({ source, files }) => (
      <>
        {source}
        <span className="block text-soft">{countText(files, "file")}</span>
      </>
    ),
  },
  {
    label: "Added",
    render: ({ added_at: at, added_by: by }) => (
      <>
        {formatDateTime(at)} <span className="block text-soft">by {by}</span>
      </>
    ),
  },
  { label: "Runs", number: true, render: ({ runs }) => runs },
  {
    label: "Approval",
    render: ({ approved_by: by }) =>
      by === null ? <span className="text-soft">not approved</span> : `approved by ${by}`,
  },
];

const APPROVAL_NEEDED = "not approved: only users who may add documents can run it";

/** The documents that arrived through WES, with their contents, senders and permissions. */
export function DocumentsTab() {
  const [digest] = useSearchParam("document");
  return digest === "" ? <DocumentList /> : <DocumentDetail digest={digest} />;
}

function DocumentList() {
  const [page] = useSearchParam("page");
  const documents = useQuery({
    ...routeQuery("GET /api/wes-documents", { query: { page_size: 50, page_token: page } }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView query={documents}>
      {({ documents: all, total, next_page_token }) =>
        all.length === 0 ? (
          <EmptyState text="No documents have arrived through WES. Start the server with --wes-documents to accept them." />
        ) : (
          <>
            <DataTable
              caption="Documents that arrived through WES, newest first"
              columns={COLUMNS}
              rows={all}
              keyOf={({ digest }) => digest}
            />
            <Pager nextPageToken={next_page_token} shown={all.length} total={total} noun="document" />
          </>
        )
      }
    </QueryView>
  );
}

/** A document with its files, so that an admin knows what they approve. */
function DocumentDetail({ digest }: { readonly digest: string }) {
  const document = useQuery(routeQuery("GET /api/wes-documents/{digest}", { params: { digest } }));
  return (
    <>
      <p className="mb-3">
        <TextLink to="/server?tab=documents">All WES documents</TextLink>
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
    ["Digest", <Code key="digest">{document.digest}</Code>],
    ["Runs", document.runs],
  ] as const;
}

/** Binary and very large files are named with their checksum. */
function textsOf({ source_files: files }: WesDocumentDetail) {
  return files.map(({ file, text, bytes, sha256 }) => ({
    file,
    text: text ?? `Not shown: ${formatBytes(bytes)}, SHA-256 ${sha256}`,
  }));
}

function ApprovalButton({ document }: { readonly document: WesDocument }) {
  const { has } = useRights();
  const isApproved = document.approved_by !== null;
  const params = { digest: document.digest };
  const change = useChange(["GET /api/wes-documents", "GET /api/wes-documents/{digest}"], () =>
    isApproved
      ? api("POST /api/wes-documents/{digest}/withdraw", { params })
      : api("POST /api/wes-documents/{digest}/approve", { params }),
  );
  if (!has("admin")) return null;
  return (
    <>
      <Button look={isApproved ? "plain" : "primary"} disabled={change.isPending} onClick={() => change.mutate()}>
        {isApproved ? "Withdraw approval" : "Approve for runners"}
      </Button>
      <Refusal of={change.error} />
    </>
  );
}
