import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  Draft,
  DraftCheck,
  DraftFile,
  DraftFileList,
  PublishedVersion,
} from "@weft/shared/records/draft-record.ts";
import { CATALOG_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import { useId, useState } from "react";
import { api } from "../../../api/client.ts";
import { draftFilesQuery, draftQuery, publishingKey, seen } from "../../../api/queries/draft-queries.ts";
import { invalidateRoutes, routeQuery } from "../../../api/route-query.ts";
import { IssueList } from "../../../components/process/issue-list.tsx";
import { LineDiff } from "../../../components/line-diff.tsx";
import { formatBytes } from "../../../format/format-bytes.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, Input } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { actOnDraft, draftCheckQuery } from "../saving/act-on-draft.ts";
import type { DraftSession } from "../saving/draft-session.ts";
import { DraftTestGate, useIsPublished } from "./draft-test-gate.tsx";

interface PublishDialogProps {
  readonly draft: Draft;
  readonly session: DraftSession;
  readonly onPublished: (published: PublishedVersion) => void;
  readonly onClose: () => void;
}

/** Changes of more files than this are loaded when they are opened. */
const OPEN = 10;

/** Saves the draft, lists the changes of the new version, proposes its number, and publishes it. */
export default function PublishDialog({ draft, session, onPublished, onClose }: PublishDialogProps) {
  const version = useNewVersion(draft.draft_id, session);
  const isPublished = useIsPublished(draft.draft_id);
  const published = (made: PublishedVersion): void => {
    session.end();
    onPublished(made);
  };
  return (
    <Modal title={`Publish ${draft.id}`} onClose={onClose} isBusy={isPublished}>
      {version.error === null ? (
        <QueryView query={version}>
          {({ check, files }) =>
            check.validation.status === "invalid" ? (
              <div className="space-y-3">
                <p>Fix these errors first.</p>
                <IssueList issues={check.validation.issues} />
              </div>
            ) : (
              <PublishForm draft={draft} check={check} files={files} onPublished={published} />
            )
          }
        </QueryView>
      ) : (
        <div role="alert" className="space-y-3">
          <p className="text-failed wrap-anywhere">This cannot be published: {version.error.message}</p>
          <Button disabled={version.isFetching} onClick={() => void version.refetch()}>
            Try again
          </Button>
        </div>
      )}
    </Modal>
  );
}

/** The saved revision of the displayed texts, with the version that would be published. */
function useNewVersion(draftId: string, session: DraftSession) {
  const cache = useQueryClient();
  return useQuery({
    queryKey: ["new version", draftId, useId()],
    queryFn: () =>
      actOnDraft(session, async (revision) => {
        const check = await cache.fetchQuery(draftCheckQuery(draftId, session, revision));
        return { check, files: await cache.fetchQuery(draftFilesQuery(draftId, revision)) };
      }),
    // The seen revision is published, not a newer one.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

const LEVELS = { major: "Breaks existing uses", minor: "Changes or adds", patch: "Text only" } as const;

interface PublishFormProps {
  readonly draft: Draft;
  readonly check: DraftCheck;
  readonly files: DraftFileList;
  readonly onPublished: (published: PublishedVersion) => void;
}

function PublishForm({ draft, check, files, onPublished }: PublishFormProps) {
  const { proposal } = check;
  const [version, setVersion] = useState(proposal.version);
  const [gate, setGate] = useState<"open" | "anyway" | "closed">("closed");
  const publish = usePublishing(draft, onPublished);
  return (
    <Form
      submitLabel={`Publish ${version}${gate === "anyway" ? " anyway" : ""}`}
      pendingLabel="Publishing…"
      isPending={publish.isPending}
      isBlocked={gate === "closed"}
      refusal={publish.error}
      onSubmit={() => publish.mutate({ version: version.trim(), revision: check.revision, anyway: gate === "anyway" })}
    >
      <Reasons proposal={proposal} />
      <VersionField version={version} onChange={setVersion} />
      <DraftTestGate
        tested={{ kind: "draft", id: draft.id, draftId: draft.draft_id, revision: check.revision }}
        onChange={setGate}
      />
      <LineDiff label="Changes of this version" before={check.base_text ?? ""} after={check.published_text} />
      <FileDiffs draftId={draft.draft_id} list={files} />
    </Form>
  );
}

interface PublishRequest {
  readonly version: string;
  readonly revision: number;
  /** Even if tests have not passed. */
  readonly anyway: boolean;
}

function usePublishing(draft: Draft, onPublished: PublishFormProps["onPublished"]) {
  const cache = useQueryClient();
  return useMutation({
    mutationKey: publishingKey(draft.draft_id),
    mutationFn: ({ version, revision, anyway }: PublishRequest) =>
      api("POST /api/drafts/{draft_id}/publish", {
        params: { draft_id: draft.draft_id },
        body: { version, ...(anyway ? { anyway } : {}) },
        headers: seen(revision),
      }),
    onSuccess: async (published) => {
      await invalidateRoutes(cache, ...CATALOG_ROUTES);
      onPublished(published);
      // Not before its page is left, which would read the draft again if it were rendered.
      cache.removeQueries({ queryKey: draftQuery(draft.draft_id).queryKey });
      void invalidateRoutes(cache, "GET /api/drafts");
    },
  });
}

interface VersionFieldProps {
  readonly version: string;
  readonly onChange: (version: string) => void;
}

function VersionField({ version, onChange }: VersionFieldProps) {
  return (
    <>
      <Field label="Version" className="max-w-60">
        <Input
          code
          value={version}
          required
          pattern="[A-Za-z0-9][A-Za-z0-9._+\-]*"
          aria-describedby="version-hint"
          onType={onChange}
        />
      </Field>
      <p id="version-hint" className="text-soft">
        A published version never changes. The audit log records who published it.
      </p>
    </>
  );
}

function Reasons({ proposal }: { readonly proposal: DraftCheck["proposal"] }) {
  if (proposal.compared_with === null) return <p>This is the first version.</p>;
  if (proposal.reasons.length === 0) return <p>Nothing has changed for users of {proposal.compared_with}.</p>;
  return (
    <div>
      <p className="font-semibold">Compared with {proposal.compared_with}</p>
      <ul className="mt-1 list-disc pl-5">
        {proposal.reasons.map(({ level, text }) => (
          <li key={text}>
            {text} <span className="text-soft">({LEVELS[level].toLowerCase()})</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface FileDiffsProps {
  readonly draftId: string;
  readonly list: DraftFileList;
}

/** Every file of a new version, with its changes. */
function FileDiffs({ draftId, list: { revision, files, removed } }: FileDiffsProps) {
  if (files.length + removed.length === 0) return null;
  const changed = files.filter(({ state }) => state !== "unchanged");
  return (
    <section aria-labelledby="published-files" className="space-y-2">
      <h3 id="published-files" className="font-semibold">
        Files next to the document
      </h3>
      {changed.map((file, index) => (
        <ChangedFile key={file.path} draftId={draftId} revision={revision} file={file} isFirst={index < OPEN} />
      ))}
      <ul aria-label="Other files" className="space-y-1">
        {removed.map((path) => (
          <FileLine key={path} path={path} note="removed" />
        ))}
        {files.map(({ path, state }) => state === "unchanged" && <FileLine key={path} path={path} note="unchanged" />)}
      </ul>
    </section>
  );
}

function FileLine({ path, note }: { readonly path: string; readonly note: string }) {
  return (
    <li>
      <span className="code wrap-anywhere">{path}</span> <span className="text-soft">({note})</span>
    </li>
  );
}

interface ChangedFileProps {
  readonly draftId: string;
  readonly revision: number;
  readonly file: DraftFile;
  readonly isFirst: boolean;
}

function ChangedFile({ draftId, revision, file: { path, state, bytes }, isFirst }: ChangedFileProps) {
  const [isOpen, setIsOpen] = useState(isFirst);
  const file = { params: { draft_id: draftId, path } };
  const query = useQuery({ ...routeQuery("GET /api/drafts/{draft_id}/files/{path}", file, revision), enabled: isOpen });
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer">
        <span className="code wrap-anywhere">{path}</span>{" "}
        <span className="text-soft">
          ({state}, {formatBytes(bytes)})
        </span>
      </summary>
      <QueryView query={query} rows={2}>
        {({ text, base_text: before }) =>
          text === null ? (
            <p className="text-soft">Not text, or too large to show.</p>
          ) : (
            <LineDiff label={`Changes of ${path}`} before={before ?? ""} after={text} />
          )
        }
      </QueryView>
    </details>
  );
}
