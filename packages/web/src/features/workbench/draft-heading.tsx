import { useQuery } from "@tanstack/react-query";
import type { Draft, PublishedVersion } from "@weft/shared/records/draft-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { deleteDraft, draftEditorsQuery, leaveDraft, seen } from "../../api/queries/draft-queries.ts";
import { useChange } from "../../api/route-query.ts";
import type { PublishedState } from "../../components/commit-offer.tsx";
import { ExportMenu } from "../../components/process/export-menu.tsx";
import { LineDiff } from "../../components/line-diff.tsx";
import { links } from "../../format/links.ts";
import { sessionQuery } from "../../api/session-query.ts";
import { Button } from "../../ui/button.tsx";
import { Modal } from "../../ui/modal.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { showToast } from "../../ui/toast.tsx";
import { actOnDraft } from "./saving/act-on-draft.ts";
import { DOCUMENT, type DraftSession, isOnlyHere, type SaveState } from "./saving/draft-session.ts";
import { Pill } from "../../ui/state-badge.tsx";
import { DeleteButton } from "../../ui/delete-button.tsx";

const PublishDialog = onDemand(() => import("./publish/publish-dialog.tsx"));

interface DraftHeadingProps {
  readonly draft: Draft;
  readonly session: DraftSession;
}

const NAMED = 3;

/** The name, state and actions of a draft. */
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
          <Pill tone="paused">{originOf(draft)}</Pill>
          {/* Whether the server has the displayed document and files. */}
          <span role="status" className={`text-small ${isOnlyHere(state) ? "text-failed" : "text-soft"}`}>
            {textOf(state)}
          </span>
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
  const [open, setOpen] = useState<"publish" | "conflict" | undefined>(undefined);
  const published = usePublished();
  const { state } = session;
  const close = (): void => setOpen(undefined);
  return (
    <>
      {state.kind === "conflict" && (
        <Button look="danger" onClick={() => setOpen("conflict")}>
          Compare the texts
        </Button>
      )}
      <ExportMenu
        name={draft.id}
        packed={`/api/drafts/${draft.draft_id}/packed`}
        sources={`/api/drafts/${draft.draft_id}/sources.zip`}
        withHeaders={(download) => actOnDraft(session, (revision) => download(seen(revision)))}
      />
      <DeleteDraft draft={draft} session={session} />
      <Button look="primary" onClick={() => setOpen("publish")}>
        Publish…
      </Button>
      {open === "publish" && <PublishDialog draft={draft} session={session} onPublished={published} onClose={close} />}
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
    showToast(`Published ${made.id} ${made.version}`);
    void navigate(links.process(made), { state: { published: [made] } satisfies PublishedState });
  };
}

function DeleteDraft({ draft, session }: DraftHeadingProps) {
  const navigate = useNavigate();
  const remove = useChange(
    ["GET /api/drafts"],
    () => actOnDraft(session, (revision) => deleteDraft(draft.draft_id, revision)),
    () => {
      session.end();
      void navigate(draft.kind === "tool" ? "/tools/new" : "/networks/new");
    },
  );
  return (
    <DeleteButton title={`Delete the draft of ${draft.id}?`} noun="draft" remove={remove}>
      Its text is deleted for all authors. Published versions and runs are kept.
    </DeleteButton>
  );
}

function textOf(state: SaveState): string {
  switch (state.kind) {
    case "saved":
      return "Saved";
    case "unsaved":
    case "saving":
      return "Saving…";
    case "failed":
      return `Not saved – retrying: ${state.why} (Your text is kept in this browser.)`;
    case "conflict":
      return `Not saved – choose between two texts${state.path === DOCUMENT ? "" : ` of ${state.path}`}`;
    case "gone":
      return "Not saved – this draft was published or deleted. Copy what you need.";
  }
}

interface ConflictDialogProps {
  readonly session: DraftSession;
  readonly conflict: Extract<SaveState, { kind: "conflict" }>;
  readonly onLater: () => void;
}

/** Both sides changed the same lines. */
function ConflictDialog({ session, conflict: { path, by }, onLater }: ConflictDialogProps) {
  const theirs = session.theirs(path);
  const mine = session.textOf(path) ?? "";
  return (
    <Modal title={`${by} changed the same lines${path === DOCUMENT ? "" : ` of ${path}`}`} onClose={onLater}>
      <div className="space-y-4">
        <p>
          Red lines are only in the text of {by}, green lines only in yours. To combine them, close this dialog, edit
          your text, and keep it.
        </p>
        <LineDiff label={`Your text compared with that of ${by}`} before={theirs} after={mine} />
        <div className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => session.resolve(mine)}>
            Keep my text
          </Button>
          <Button onClick={() => session.resolve(theirs)}>Use the text of {by}</Button>
        </div>
      </div>
    </Modal>
  );
}

/** Other users who have the draft open; empty if none has. */
function OtherEditors({ draftId }: { readonly draftId: string }) {
  const [window] = useState(() => crypto.randomUUID());
  const { data } = useQuery(draftEditorsQuery(draftId, window));
  const names = data?.editors.map(({ name }) => name) ?? [];
  useEffect(() => {
    const leave = (): void => leaveDraft(draftId, window);
    globalThis.addEventListener("pagehide", leave);
    return () => {
      globalThis.removeEventListener("pagehide", leave);
      leave();
    };
  }, [draftId, window]);
  const { data: session } = useQuery(sessionQuery());
  const text = editorsText(names, session?.principal ?? "");
  return (
    <span role="status" aria-label="Other editors">
      {text !== "" && <Pill tone="running">{text}</Pill>}
    </span>
  );
}

/** `ann and bob are also editing`; one person may have several windows, also the reader. */
function editorsText(names: readonly string[], own: string): string {
  const people = [...new Set(names)].filter((name) => name !== own);
  const [first] = people;
  if (first === undefined) return names.length === 0 ? "" : "You have another window with this draft";
  if (people.length === 1) return `${first} is also editing`;
  const shown = people.slice(0, NAMED).join(", ");
  return people.length > NAMED
    ? `${shown} and ${people.length - NAMED} more are also editing`
    : `${shown} are also editing`;
}
