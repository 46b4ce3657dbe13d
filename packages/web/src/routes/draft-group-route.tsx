import { countText } from "@weft/shared/text/count-text.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CATALOG_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import type { DraftGroup, GroupMember, GroupNote, PublishGroup } from "@weft/shared/records/draft-group-record.ts";
import { useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { api } from "../api/client.ts";
import { publishingKey } from "../api/queries/draft-queries.ts";
import { invalidateRoutes, routeQuery, useChange } from "../api/route-query.ts";
import type { PublishedState } from "../components/commit-offer.tsx";
import { RecordPage } from "../components/record-page.tsx";
import { AuthorGate } from "../components/role-gate.tsx";
import { OverrideBox, useIsPublished } from "../features/workbench/publish/draft-test-gate.tsx";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { Refusal } from "../ui/form.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { TitledSection } from "../ui/titled-section.tsx";
import { showToast } from "../ui/toast.tsx";
import { DeleteButton } from "../ui/delete-button.tsx";
import { NameLink } from "../ui/text-link.tsx";

const COLUMNS: readonly Column<GroupMember>[] = [
  {
    label: "Draft",
    render: ({ draft }) => (
      <>
        <NameLink to={`/drafts/${draft.draft_id}`}>{draft.id}</NameLink>
        <span className="block text-soft">{draft.kind}</span>
      </>
    ),
  },
  {
    label: "Version",
    render: ({ draft, version }) => (
      <>
        {version}
        <span className="block text-soft">{draft.based_on === null ? "new" : `based on ${draft.based_on}`}</span>
      </>
    ),
  },
  { label: "Changes", render: (member) => <Changes member={member} /> },
  { label: "Tests", render: ({ tests }) => testText(tests) },
];

const WORDS = { info: "", warning: "Note: ", error: "Not done: " } as const;

/** `/draft-groups/:groupId` */
export default function DraftGroupRoute() {
  const { groupId = "" } = useParams();
  return (
    <AuthorGate>
      <GroupPage groupId={groupId} />
    </AuthorGate>
  );
}

const groupQuery = (id: string) => routeQuery("GET /api/draft-groups/{group_id}", { params: { group_id: id } });

function GroupPage({ groupId }: { readonly groupId: string }) {
  const isGone = useIsPublished(groupId);
  const group = useQuery({ ...groupQuery(groupId), staleTime: 0, enabled: !isGone });
  return (
    <RecordPage query={group} noun="group of drafts" name={groupId} list={{ label: "Networks", to: "/networks" }}>
      {(data) => (
        <>
          <PageHeading title={data.title} crumbs={[{ label: "Networks", to: "/networks" }]} />
          {/* Drafts that belong together: their changes and tests, and one button that publishes them all. */}
          <div className="space-y-6">
            <DataTable
              caption="Drafts of this group"
              columns={COLUMNS}
              rows={data.drafts}
              keyOf={({ draft }) => draft.draft_id}
            />
            <GroupActions group={data} />
            <Notes notes={data.notes} />
          </div>
        </>
      )}
    </RecordPage>
  );
}

function Changes({ member: { status, issues, reasons } }: { readonly member: GroupMember }) {
  return (
    <>
      {status === "invalid" && (
        <ul className="text-failed">
          {issues.map(({ file, line, column, message }) => (
            <li key={`${file}:${line}:${column}${message}`} className="wrap-anywhere">
              {file}:{line}:{column} {message}
            </li>
          ))}
        </ul>
      )}
      <ul className="list-disc pl-4">
        {reasons.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

function testText({ total, passed, failed, running }: GroupMember["tests"]): string {
  if (total === 0) return "none";
  const parts = [`${passed} of ${total} passed`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (running > 0) parts.push(`${running} running`);
  return parts.join(", ");
}

function GroupActions({ group }: { readonly group: DraftGroup }) {
  const [anyway, setAnyway] = useState(false);
  const { publish, test } = useGroupActions(group);
  const untested = group.drafts.filter(({ tests }) => tests.passed < tests.total).length;
  const isInvalid = group.drafts.some(({ status }) => status === "invalid");
  const count = group.drafts.length;
  const drafts = group.drafts.map(({ draft }) => ({ draft_id: draft.draft_id, revision: draft.revision }));
  return (
    <div className="space-y-3">
      {isInvalid && <p className="text-failed">Correct or delete the drafts with errors to publish the others.</p>}
      {untested > 0 && <OverrideBox isOn={anyway} onChange={setAnyway} />}
      <Refusal of={publish.error ?? test.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          disabled={publish.isPending || isInvalid || (untested > 0 && !anyway)}
          onClick={() => publish.mutate({ drafts, ...(anyway ? { anyway } : {}) })}
        >
          {publish.isPending ? "Publishing…" : `Publish ${countText(count, "draft")}`}
        </Button>
        <Button disabled={test.isPending || untested === 0} onClick={() => test.mutate()}>
          Run tests
        </Button>
        <DeleteGroup group={group} />
      </div>
    </div>
  );
}

function useGroupActions({ group_id: id }: DraftGroup) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const publish = useMutation({
    mutationKey: publishingKey(id),
    mutationFn: (body: PublishGroup) =>
      api("POST /api/draft-groups/{group_id}/publish", { params: { group_id: id }, body }),
    onSuccess: async ({ published }) => {
      await invalidateRoutes(cache, ...CATALOG_ROUTES);
      void invalidateRoutes(cache, "GET /api/drafts");
      const names = published.map((one) => `${one.id} ${one.version}`);
      showToast(`Published ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`);
      const hasNetwork = published.some((one) => one.kind === "network");
      void navigate(hasNetwork ? "/networks" : "/tool", { state: { published } satisfies PublishedState });
    },
  });
  const test = useMutation({
    mutationFn: () => api("POST /api/draft-groups/{group_id}/tests", { params: { group_id: id } }),
    onSuccess: (found) => cache.setQueryData(groupQuery(id).queryKey, found),
  });
  return { publish, test };
}

function DeleteGroup({ group }: { readonly group: DraftGroup }) {
  const navigate = useNavigate();
  const remove = useChange(
    ["GET /api/drafts"],
    () => api("DELETE /api/draft-groups/{group_id}", { params: { group_id: group.group_id } }),
    () => void navigate("/networks"),
  );
  const count = group.drafts.length;
  return (
    <DeleteButton
      title={count === 1 ? "Delete this draft?" : `Delete these ${count} drafts?`}
      noun={count === 1 ? "draft" : "drafts"}
      remove={remove}
    >
      Their texts and files are deleted for all authors. Published versions and runs are kept.
    </DeleteButton>
  );
}

function Notes({ notes }: { readonly notes: readonly GroupNote[] }) {
  if (notes.length === 0) return null;
  return (
    <TitledSection title="Report">
      <ul className="card max-h-100 divide-y divide-line overflow-auto" tabIndex={0} aria-label="Report">
        {notes.map(({ level, subject, text }, index) => (
          <li key={index} className={`px-4 py-2 wrap-anywhere ${level === "error" ? "text-failed" : ""}`}>
            <span className="code font-medium">{subject}</span> {WORDS[level]}
            {text}
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}
