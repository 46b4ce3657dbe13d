import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Draft, PublishedVersion } from "@weft/shared/records/draft-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { deleteDraft, draftKeys, seen } from "../../api/draft-queries.ts";
import type { PublishedState } from "../../components/commit-offer.tsx";
import { ExportMenu } from "../../components/export-menu.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { showError, showToast } from "../../ui/toast.tsx";
import { OtherEditors } from "./other-editors.tsx";
import { ConflictDialog, SaveStatus } from "./saving/save-status.tsx";
import { actOnDraft } from "./saving/act-on-draft.ts";
import type { DraftSession } from "./saving/draft-session.ts";

const ConfirmDialog = onDemand(() => import("../../ui/confirm-dialog.tsx"));
const PublishDialog = onDemand(() => import("./publish/publish-dialog.tsx"));

interface DraftHeadingProps {
  readonly draft: Draft;
  readonly session: DraftSession;
}

/** Name and state of a draft, and what can be done with it as a whole. */
export function DraftHeading({ draft, session }: DraftHeadingProps) {
  const { state } = session;
  const isTool = draft.kind === "tool";
  return (
    <PageHeading
      title={draft.id}
      documentTitle={`Draft of ${draft.id}`}
      crumbs={[isTool ? { label: "Tools", to: "/tool" } : { label: "Networks", to: "/networks" }]}
      aside={
        <>
          <span className="rounded-full bg-paused-soft px-2 py-0.5 text-[0.8125rem] font-semibold text-paused">
            {originOf(draft)}
          </span>
          <SaveStatus state={state} />
          <OtherEditors draftId={draft.draft_id} />
        </>
      }
      actions={<DraftActions draft={draft} session={session} />}
    />
  );
}

function originOf({ kind, based_on: base }: Draft): string {
  if (base === null) return `Draft of a new ${kind}`;
  return base === UNVERSIONED ? "Draft" : `Draft based on ${base}`;
}

function DraftActions({ draft, session }: DraftHeadingProps) {
  const [open, setOpen] = useState<"publish" | "delete" | "conflict" | undefined>(undefined);
  const published = usePublished();
  const { state } = session;
  const close = (): void => setOpen(undefined);
  return (
    <>
      {state.kind === "conflict" && (
        <button type="button" className="btn btn-danger" onClick={() => setOpen("conflict")}>
          Compare the texts
        </button>
      )}
      <ExportMenu
        name={draft.id}
        packed={`/api/drafts/${draft.draft_id}/packed`}
        sources={`/api/drafts/${draft.draft_id}/sources.zip`}
        withHeaders={(download) => actOnDraft(session, (revision) => download(seen(revision)))}
      />
      <button type="button" className="btn" onClick={() => setOpen("delete")}>
        Delete
      </button>
      <button type="button" className="btn btn-primary" onClick={() => setOpen("publish")}>
        Publish…
      </button>
      {open === "publish" && <PublishDialog draft={draft} session={session} onPublished={published} onClose={close} />}
      {open === "delete" && <DeleteDialog draft={draft} session={session} onClose={close} />}
      {open === "conflict" && state.kind === "conflict" && (
        <ConflictDialog session={session} conflict={state} onLater={close} />
      )}
    </>
  );
}

/** Shows the new version. */
function usePublished() {
  const navigate = useNavigate();
  return (made: PublishedVersion): void => {
    const { kind, id, version } = made;
    showToast(`Published ${id} ${version}`);
    const path = kind === "tool" ? `/tool/${id}/${version}` : `/network/${id}?v=${encodeURIComponent(version)}`;
    void navigate(path, { state: { published: [made] } satisfies PublishedState });
  };
}

function DeleteDialog({ draft, session, onClose }: DraftHeadingProps & { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: () => actOnDraft(session, (revision) => deleteDraft(draft.draft_id, revision)),
    onSuccess: () => {
      session.end();
      void cache.invalidateQueries({ queryKey: draftKeys.list });
      void navigate(draft.kind === "tool" ? "/tools/new" : "/networks/new");
    },
    onError: (error) => showError(`The draft was not deleted: ${error.message}`),
  });
  return (
    <ConfirmDialog
      title={`Delete the draft of ${draft.id}?`}
      confirmLabel="Delete draft"
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Its text is deleted for all authors. Published versions and runs are kept.
    </ConfirmDialog>
  );
}
