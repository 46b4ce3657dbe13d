import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { CatalogDocument, DocumentList, Draft, DraftCheck } from "@weft/shared/records/draft-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import type { ReactNode } from "react";
import { documentQuery } from "../../api/queries/draft-queries.ts";
import { LineDiff } from "../../components/line-diff.tsx";
import { links } from "../../format/links.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { InlineField, Select } from "../../ui/field.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TabBar, type TabEntry } from "../../ui/tab-bar.tsx";
import { useFillHeight } from "../../ui/use-layout.ts";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { TextLink } from "../../ui/text-link.tsx";
import { Outline, ProblemList } from "./document-panels.tsx";
import { DraftHeading } from "./draft-heading.tsx";
import { type RunFailure, RunFailureBar } from "./failure/run-failure-bar.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { actOnDraft, draftCheckQuery } from "./saving/act-on-draft.ts";
import { DOCUMENT, type DraftSession } from "./saving/draft-session.ts";
import { type DraftEditing, useDraftEditor } from "./use-draft-editor.ts";

const DraftFiles = onDemand(() => import("./files/draft-files.tsx"), <Skeleton rows={6} />);
const TextEditor = onDemand(() => import("./editor/text-editor.tsx"), <Skeleton rows={12} />);

/** Minimum height of the editor. */
const MIN_PX = 420;

interface DraftParts {
  /** The drawing of a network. */
  readonly renderDrawing: (editing: DraftEditing) => ReactNode;
  /** The form that tries a valid draft. */
  readonly renderForm: (checked: CheckedDraft) => ReactNode;
  /** The tests of a revision; one with errors cannot run. */
  readonly renderTests: (checked: CheckedDraft) => ReactNode;
}

/** The server's findings about a draft. */
export interface CheckedDraft {
  readonly draft: Draft;
  readonly check: DraftCheck;
  /**
   * True if the check applies to the displayed document, false if it applies to the last revision that could be saved
   * and checked.
   */
  readonly isShown: boolean;
  /**
   * Saves the displayed document, has it checked, and calls `act` with the result. Rejects if one of these steps fails.
   */
  readonly withLatest: <Result>(act: (check: DraftCheck) => Promise<Result>) => Promise<Result>;
}

interface DraftEditorProps extends DraftParts {
  readonly draft: Draft;
  readonly documents: DocumentList;
  /** Drafts that references can lead to, by the paths where they will be published. */
  readonly peers: ReadonlyMap<string, string>;
  /** The failure of a run that the page was opened for. */
  readonly failure: RunFailure | undefined;
  readonly onDismissFailure: () => void;
}

/** Edits a draft: its text next to its drawing, a form that tries it, and its changes. */
export function DraftEditor(props: DraftEditorProps) {
  const { draft } = props;
  const editing = useDraftEditor(draft, props, props.failure);
  const fill = useFillHeight(MIN_PX);
  const { language, session, renaming } = editing;
  return (
    <>
      <DraftHeading draft={draft} session={session} />
      <div ref={fill} data-wide className="grid gap-4 lg:grid-cols-2">
        <div className="card flex h-[70vh] min-h-0 min-w-0 flex-col overflow-clip lg:h-(--fill)">
          <EditorToolbar editing={editing} />
          <div className="min-h-0 flex-1">
            <TextEditor
              session={session}
              path={DOCUMENT}
              label={`Text of ${draft.id}`}
              service={{ language, onRename: editing.onRename }}
              onReady={editing.onReady}
            />
          </div>
          <Findings editor={props} editing={editing} />
        </div>
        <div className="min-w-0">
          <TabBar label="About this draft" tabs={tabsOf(props, editing)} />
        </div>
      </div>
      {renaming !== undefined && (
        <RenameDialog name={renaming.name} onRename={editing.rename} onClose={editing.closeRenaming} />
      )}
    </>
  );
}

interface FindingsProps {
  readonly editor: DraftEditorProps;
  readonly editing: DraftEditing;
}

/** The cause of a run's failure, and the problems of the text. */
function Findings({ editor: { failure, onDismissFailure }, editing }: FindingsProps) {
  const { session, located, viewed, show, apply } = editing;
  return (
    <>
      {failure !== undefined && (
        <RunFailureBar
          failure={failure}
          located={located}
          revision={session.revision}
          onShow={show}
          onDismiss={onDismissFailure}
        />
      )}
      <ProblemList
        problems={viewed?.view.problems ?? []}
        onShow={show}
        onFix={(changes) => apply(changes, viewed?.text ?? "")}
      />
    </>
  );
}

function tabsOf(
  { draft, documents, renderDrawing, renderForm, renderTests }: DraftEditorProps,
  editing: DraftEditing,
): readonly [TabEntry, ...TabEntry[]] {
  const { session } = editing;
  const attempt: TabEntry = {
    id: "try",
    label: "Try it",
    content: <Attempt draft={draft} session={session} renderForm={renderForm} />,
  };
  const others: TabEntry[] = [
    { id: "files", label: "Files", content: <DraftFiles draft={draft} session={session} /> },
    { id: "tests", label: "Tests", content: <Checked {...{ draft, session }}>{renderTests}</Checked> },
    {
      id: "changes",
      label: "Changes",
      content: <ChangesTab draft={draft} documents={documents} text={session.text} />,
    },
    {
      id: "outline",
      label: "Outline",
      content: <Outline entries={editing.viewed?.view.outline ?? []} onShow={editing.show} />,
    },
  ];
  if (draft.kind === "tool") return [attempt, ...others];
  return [{ id: "drawing", label: "Drawing", content: renderDrawing(editing) }, attempt, ...others];
}

interface SavedPartProps {
  readonly draft: Draft;
  readonly session: DraftSession;
}

interface CheckedProps extends SavedPartProps {
  readonly children: (checked: CheckedDraft) => ReactNode;
}

/** The server's findings about its latest revision; while a request is pending, about the previous one. */
function Checked({ draft, session, children }: CheckedProps) {
  const cache = useQueryClient();
  const { draft_id: id } = draft;
  const query = useQuery({ ...draftCheckQuery(id, session), placeholderData: (before) => before });
  const withLatest: CheckedDraft["withLatest"] = (act) =>
    actOnDraft(session, async (revision) => act(await cache.fetchQuery(draftCheckQuery(id, session, revision))));
  return (
    <QueryView query={query}>
      {(check) => {
        const isShown = session.state.kind === "saved" && check.revision === session.revision;
        return children({ draft, check, isShown, withLatest });
      }}
    </QueryView>
  );
}

function Attempt({ renderForm, ...part }: SavedPartProps & Pick<DraftParts, "renderForm">) {
  return (
    <Checked {...part}>
      {(checked) =>
        checked.check.validation.status === "invalid" ? (
          <EmptyState text="The draft has errors and cannot run. They are listed below the text." />
        ) : (
          <div className="space-y-4">
            <CommandLine checked={checked} />
            {renderForm(checked)}
            <p className="text-small text-soft">
              Runs of drafts are archived when they end.{" "}
              <TextLink to={links.runs({ q: part.draft.id, archived: "all" })}>All runs of {part.draft.id}</TextLink>
            </p>
          </div>
        )
      }
    </Checked>
  );
}

function CommandLine({ checked: { check, isShown } }: { readonly checked: CheckedDraft }) {
  if (check.tool?.command == null) return null;
  return (
    <p className="card px-4 py-3">
      <span className="block text-small text-soft">Command line{isShown ? "" : " of the last saved text"}</span>
      <code className="code wrap-anywhere">{check.tool.command.template_text}</code>
    </p>
  );
}

interface ChangesTabProps {
  readonly draft: Draft;
  readonly documents: DocumentList;
  readonly text: string;
}

/** Compares a draft with a version of its tool or network (`?with=`), initially with its base. */
function ChangesTab({ draft, documents, text }: ChangesTabProps) {
  const [asked, setAsked] = useSearchParam("with");
  const versions = documents.documents.filter(({ kind, id }) => kind === draft.kind && id === draft.id);
  const chosen = versions.find((one) => nameOf(one) === (asked || draft.based_on)) ?? versions[0];
  if (chosen === undefined)
    return <EmptyState text="Nothing is published under this ID yet, so there is nothing to compare with." />;
  return (
    <div className="space-y-3">
      <InlineField label="Compare with">
        <Select
          className="w-auto"
          value={nameOf(chosen)}
          options={versions.map(nameOf).map((id) => ({
            id,
            label: id === draft.based_on ? `${id} (the draft is based on it)` : id,
          }))}
          onChoose={setAsked}
        />
      </InlineField>
      <Difference document={chosen} text={text} />
    </div>
  );
}

function nameOf({ version }: CatalogDocument): string {
  return version ?? UNVERSIONED;
}

function Difference({ document, text }: { readonly document: CatalogDocument; readonly text: string }) {
  const query = useQuery(documentQuery(document.path));
  return (
    <QueryView query={query}>
      {(before) => <LineDiff label={`Changes since ${nameOf(document)}`} before={before ?? ""} after={text} />}
    </QueryView>
  );
}

/** Commands of the text editor, which also undo changes in the drawing. */
function EditorToolbar({ editing }: { readonly editing: DraftEditing }) {
  const { language, isReady, rewrite } = editing;
  const format = (): void => void rewrite((text) => language.format(text));
  return (
    <div role="toolbar" aria-label="Text" className="flex items-center gap-1 border-b border-line px-2 py-1.5">
      <Tool label="Undo" icon="undo" isReady={isReady} act={editing.undo} />
      <Tool label="Redo" icon="redo" isReady={isReady} act={editing.redo} />
      <Tool label="Find and replace" icon="search" isReady={isReady} act={editing.search} />
      <Button look="quiet" small disabled={!isReady} onClick={format}>
        Format
      </Button>
      <span className="code ml-auto truncate text-small text-soft">{editing.draft.path}</span>
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: IconName;
  readonly isReady: boolean;
  readonly act: () => void;
}

function Tool({ label, icon, isReady, act }: ToolProps) {
  return (
    <IconButton
      label={label}
      icon={icon}
      look="quiet"
      small
      className="max-md:min-h-10 max-md:min-w-10"
      title={label}
      disabled={!isReady}
      onClick={act}
    />
  );
}
