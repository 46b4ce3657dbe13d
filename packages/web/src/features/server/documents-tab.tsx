import { useQuery } from "@tanstack/react-query";
import type { WesDocument } from "@weft/shared/records/wes-document-record.ts";
import { Link } from "react-router-dom";
import { wesDocumentPath } from "../../components/run-paths.ts";
import { wesDocumentsQuery } from "../../api/wes-document-queries.ts";
import { countText } from "../../format/count-text.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { DocumentDetail } from "./document-detail.tsx";

const COLUMNS: readonly Column[] = [
  { label: "Document" },
  { label: "Named by the client" },
  { label: "Added" },
  { label: "Runs", number: true },
  { label: "Approval" },
];

/** The documents that arrived through WES: what they contain, who sent them, and who may run them. */
export function DocumentsTab() {
  const [digest] = useSearchParam("document");
  return digest === "" ? <DocumentList /> : <DocumentDetail digest={digest} />;
}

function DocumentList() {
  const [page] = useSearchParam("page");
  const documents = useQuery(wesDocumentsQuery(page));
  return (
    <QueryView query={documents}>
      {({ documents: all, total, next_page_token }) =>
        all.length === 0 ? (
          <EmptyState text="No documents have arrived through WES. Start the server with --wes-documents to accept them." />
        ) : (
          <>
            <DataTable caption="Documents that arrived through WES, newest first" columns={COLUMNS}>
              {all.map((document) => (
                <DocumentRow key={document.digest} document={document} />
              ))}
            </DataTable>
            <Pager nextPageToken={next_page_token} shown={all.length} total={total} noun="document" />
          </>
        )
      }
    </QueryView>
  );
}

function DocumentRow({ document }: { readonly document: WesDocument }) {
  return (
    <tr>
      <td>
        <div>
          <Link className="link font-medium" to={wesDocumentPath(document.digest)}>
            {document.name}
          </Link>
          <span className="ml-1.5 text-soft">{document.kind}</span>
          <span className="code block text-soft">{document.digest.slice(0, 19)}…</span>
        </div>
      </td>
      <td data-label="Named by the client" className="wrap-anywhere">
        {document.source}
        <span className="block text-soft">{countText(document.files, "file")}</span>
      </td>
      <td data-label="Added">
        {formatDateTime(document.added_at)} <span className="block text-soft">by {document.added_by}</span>
      </td>
      <td data-label="Runs" className="number">
        {document.runs}
      </td>
      <td data-label="Approval">
        {document.approved_by === null ? (
          <span className="text-soft">not approved</span>
        ) : (
          `approved by ${document.approved_by}`
        )}
      </td>
    </tr>
  );
}
