import { useQuery } from "@tanstack/react-query";
import type { DocumentList, Draft, DraftCheck } from "@weft/shared/records/draft-record.ts";
import type { ReactNode } from "react";
import { draftCheckQuery } from "../../api/draft-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TabBar, type TabEntry } from "../../ui/tab-bar.tsx";
import { useFillHeight } from "../../ui/use-fill-height.ts";
import { ChangesTab } from "./changes-tab.tsx";
import { DraftHeading } from "./draft-heading.tsx";
import { EditorToolbar } from "./editor-toolbar.tsx";
import type { RunFailure } from "./failure/run-failure.ts";
import { RunFailureBar } from "./failure/run-failure-bar.tsx";
import { Outline } from "./outline.tsx";
import { ProblemList } from "./problem-list.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import type { LiveDraft } from "./saving/use-draft-sync.ts";
import { useDraftEditor, type DraftEditing } from "./use-draft-editor.ts";

const DraftFiles = onDemand(() => import("./files/draft-files.tsx"), <Skeleton rows={6} />);
const TextEditor = onDemand(() => import("./editor/text-editor.tsx"), <Skeleton rows={12} />);

/** Minimum height of the editor. */
const MIN_PX = 420;

export interface DraftParts {
  /** The drawing of a network. */
  readonly renderDrawing: (editing: DraftEditing) => ReactNode;
  /** The form that tries a valid draft. */
  readonly renderForm: (draft: Draft, check: DraftCheck) => ReactNode;
  /** The tests of a revision; one with errors cannot run. */
  readonly renderTests: (draft: Draft, check: DraftCheck) => ReactNode;
}

export interface DraftEditorProps extends DraftParts {
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
  const { language, live, renaming } = editing;
  return (
    <>
      <DraftHeading draft={draft} live={live} />
      <div ref={fill} className="wide grid gap-4 lg:grid-cols-2">
        <div className="card flex h-[70vh] min-h-0 min-w-0 flex-col overflow-clip lg:h-(--fill)">
          <EditorToolbar editing={editing} />
          <div className="min-h-0 flex-1">
            <TextEditor
              live={live}
              label={`Text of ${draft.id}`}
              language={language}
              onReady={editing.onReady}
              onRename={editing.onRename}
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

/** What made a run fail, and the problems of the text. */
function Findings({ editor: { failure, onDismissFailure }, editing }: FindingsProps) {
  const { live, located, viewed, show, apply } = editing;
  return (
    <>
      {failure !== undefined && (
        <RunFailureBar
          failure={failure}
          located={located}
          revision={live.sync.revision}
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
  const { live } = editing;
  const attempt: TabEntry = {
    id: "try",
    label: "Try it",
    content: <Attempt draft={draft} live={live} renderForm={renderForm} />,
  };
  const others: TabEntry[] = [
    { id: "files", label: "Files", content: <DraftFiles draft={draft} live={live} /> },
    { id: "tests", label: "Tests", content: <Tests draft={draft} live={live} renderTests={renderTests} /> },
    {
      id: "changes",
      label: "Changes",
      content: <ChangesTab draft={draft} documents={documents} text={live.sync.text} />,
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
  readonly live: LiveDraft;
}

/** What the server says about the last revision that it has; while it is asked again, about the one before. */
function useCheck({ draft, live }: SavedPartProps) {
  return useQuery({ ...draftCheckQuery(draft.draft_id, live.sync.revision), placeholderData: (before) => before });
}

function Attempt({ draft, live, renderForm }: SavedPartProps & Pick<DraftParts, "renderForm">) {
  const check = useCheck({ draft, live });
  return (
    <QueryView query={check}>
      {(found) =>
        found.validation.status === "invalid" ? (
          <EmptyState text="The draft has errors and cannot run. They are listed below the text." />
        ) : (
          <div className="space-y-4">
            {found.tool?.command != null && (
              <p className="card px-4 py-3">
                <span className="block text-[0.8125rem] text-soft">Command line</span>
                <code className="code wrap-anywhere">{found.tool.command.template_text}</code>
              </p>
            )}
            {renderForm(draft, found)}
          </div>
        )
      }
    </QueryView>
  );
}

function Tests({ draft, live, renderTests }: SavedPartProps & Pick<DraftParts, "renderTests">) {
  const check = useCheck({ draft, live });
  return <QueryView query={check}>{(found) => renderTests(draft, found)}</QueryView>;
}
