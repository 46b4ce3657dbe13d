import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router-dom";
import { groupQuery } from "../api/draft-group-queries.ts";
import { AuthorGate } from "../components/author-gate.tsx";
import { useIsPublished } from "../components/use-is-published.ts";
import { RecordPage } from "../components/record-page.tsx";
import { DraftGroupView } from "../features/workbench/groups/draft-group.tsx";
import { PageHeading } from "../ui/page-heading.tsx";

/** `/draft-groups/:groupId` */
export default function DraftGroupRoute() {
  const { groupId = "" } = useParams();
  return (
    <AuthorGate>
      <GroupPage groupId={groupId} />
    </AuthorGate>
  );
}

function GroupPage({ groupId }: { readonly groupId: string }) {
  const isGone = useIsPublished(groupId);
  const group = useQuery({ ...groupQuery(groupId), enabled: !isGone });
  return (
    <RecordPage query={group} noun="group of drafts" name={groupId} list={{ label: "Networks", to: "/networks" }}>
      {(data) => (
        <>
          <PageHeading
            title={data.title}
            documentTitle={data.title}
            crumbs={[{ label: "Networks", to: "/networks" }]}
          />
          <DraftGroupView group={data} />
        </>
      )}
    </RecordPage>
  );
}
