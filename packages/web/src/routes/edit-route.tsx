import { useQuery } from "@tanstack/react-query";
import type { ProcessKind } from "@weft/shared/records/draft-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { useParams } from "react-router-dom";
import { networkQuery } from "../api/queries/catalog-queries.ts";
import { RecordPage } from "../components/record-page.tsx";
import { AuthorGate } from "../components/role-gate.tsx";
import { Drafts, EditVersion } from "../features/workbench/new-draft.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

/** `/tool/:toolName/:version/edit` and `/network/:name/edit?v=` */
export default function EditRoute({ kind }: { readonly kind: ProcessKind }) {
  const { toolName = "", version = "" } = useParams();
  return kind === "tool" ? <EditPage kind="tool" id={toolName} version={version} /> : <EditNetwork />;
}

function EditNetwork() {
  const { name = "" } = useParams();
  const [version] = useSearchParam("v");
  const network = useQuery(networkQuery(name, version || undefined));
  return (
    <RecordPage query={network} noun="network" name={name} list={{ label: "All networks", to: "/networks" }}>
      {({ version: found }) => <EditPage kind="network" id={name} version={found ?? UNVERSIONED} />}
    </RecordPage>
  );
}

interface EditPageProps {
  readonly kind: ProcessKind;
  readonly id: string;
  readonly version: string;
}

function EditPage({ kind, id, version }: EditPageProps) {
  const isTool = kind === "tool";
  const crumbs = [
    isTool ? { label: "Tools", to: "/tool" } : { label: "Networks", to: "/networks" },
    { label: id, to: isTool ? `/tool/${id}/${version}` : `/network/${id}` },
  ];
  const name = version === UNVERSIONED ? id : `${id} ${version}`;
  return (
    <>
      <PageHeading title={`Edit ${name}`} crumbs={crumbs} />
      <AuthorGate>
        <div className="space-y-6">
          <EditVersion kind={kind} id={id} version={version} />
          <Drafts isShown={(draft) => draft.kind === kind && draft.id === id} />
        </div>
      </AuthorGate>
    </>
  );
}
