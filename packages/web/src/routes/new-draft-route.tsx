import type { ProcessKind } from "@weft/shared/records/draft-record.ts";
import { AuthorGate } from "../components/author-gate.tsx";
import { Drafts, NewDraft } from "../features/workbench/new-draft.tsx";
import { PageHeading } from "../ui/page-heading.tsx";

/** `/tools/new` and `/networks/new` */
export default function NewDraftRoute({ kind }: { readonly kind: ProcessKind }) {
  const crumb = kind === "tool" ? { label: "Tools", to: "/tool" } : { label: "Networks", to: "/networks" };
  return (
    <>
      <PageHeading title={`New ${kind}`} documentTitle={`New ${kind}`} crumbs={[crumb]} />
      <AuthorGate>
        <div className="space-y-6">
          <NewDraft kind={kind} />
          <Drafts isShown={(draft) => draft.kind === kind} />
        </div>
      </AuthorGate>
    </>
  );
}
