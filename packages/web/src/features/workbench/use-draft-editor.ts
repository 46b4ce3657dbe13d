import type { EditorView } from "@codemirror/view";
import type { Draft } from "@weft/shared/records/draft-record.ts";
import { useEffect, useMemo, useState } from "react";
import { showToast } from "../../ui/toast.tsx";
import { differenceOf } from "./editor/difference-of.ts";
import type { RunFailure } from "./failure/run-failure.ts";
import { useLocatedFailure } from "./failure/use-located-failure.ts";
import type { LocatedProblem, Problem, TextChange } from "./language/document-language.ts";
import type { LanguageClient } from "./language/language-client.ts";
import type { LiveDraft } from "./saving/use-draft-sync.ts";
import { useLiveDraft } from "./saving/use-draft-sync.ts";
import { useDocumentView, useLanguage, type KnownDocuments, type ViewedText } from "./use-document-view.ts";

/** The text of a draft, what is known about it, and how to change it. */
export interface DraftEditing {
  readonly draft: Draft;
  readonly live: LiveDraft;
  readonly language: LanguageClient;
  readonly viewed: ViewedText | undefined;
  /** Where the failure is that the page was opened for. */
  readonly located: LocatedProblem | undefined;
  /** False until the editor has loaded. */
  readonly isReady: boolean;
  readonly onReady: (view: EditorView | undefined) => void;
  readonly onRename: (name: string, offset: number) => void;
  /** The thing that the user wants to rename. */
  readonly renaming: { readonly name: string; readonly offset: number } | undefined;
  readonly closeRenaming: () => void;
  readonly rename: (name: string) => Promise<string | undefined>;
  readonly show: (offset: number) => void;
  /** Makes changes of a text; if the text is another one by now, they are refused with a message. */
  readonly apply: (changes: readonly TextChange[], of: string) => void;
  /** Replaces one text by another as a step that undo takes back; false if the editor has a third one by now. */
  readonly rewrite: (before: string, after: string) => Promise<boolean>;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly search: () => void;
}

export function useDraftEditor(draft: Draft, known: KnownDocuments, failure: RunFailure | undefined): DraftEditing {
  const live = useLiveDraft(draft);
  const language = useLanguage(draft.path, known);
  const viewed = useDocumentView(language, live.sync.text);
  const [view, setView] = useState<EditorView | undefined>(undefined);
  const [renaming, setRenaming] = useState<DraftEditing["renaming"]>(undefined);
  const commands = editorCommands(view);
  const rename = async (name: string): Promise<string | undefined> => {
    if (renaming === undefined) return undefined;
    const { text } = live.sync;
    const found = await language.rename(text, renaming.offset, name);
    if ("refusal" in found) return found.refusal;
    commands.apply(found.changes, text);
    return undefined;
  };
  const located = useLocatedFailure(failure, { language, viewed, isReady: view !== undefined, show: commands.show });
  const cause = useMemo(
    () => failure && located && { ...MARK, ...located, message: failedHere(failure), hint: failure.hint },
    [failure, located],
  );
  useProblemMarks(view, viewed, cause);
  return {
    ...{ draft, live, language, viewed, located, isReady: view !== undefined, renaming, rename },
    ...commands,
    onReady: setView,
    onRename: (name, offset) => setRenaming({ name, offset }),
    closeRenaming: () => setRenaming(undefined),
  };
}

const MARK = { severity: "error", fixes: [] } as const;

function failedHere({ runName, message }: RunFailure): string {
  return `${runName} failed here: ${message}`;
}

/** The editor's code is loaded with the editor itself. */
const editorCode = () => import("./editor/create-editor.ts");
const historyCode = () => import("@codemirror/commands");
const searchCode = () => import("@codemirror/search");

function editorCommands(view: EditorView | undefined) {
  const withView = (act: (view: EditorView) => void | Promise<void>): void => {
    if (view !== undefined) void act(view);
  };
  return {
    show: (offset: number) => withView(async (shown) => (await editorCode()).reveal(shown, offset)),
    apply: (changes: readonly TextChange[], of: string) =>
      withView(async (changed) => {
        const { applyChanges } = await editorCode();
        if (changed.state.doc.toString() === of) applyChanges(changed, changes);
        else showToast("The text has just changed. Try again.");
      }),
    rewrite: async (before: string, after: string) => {
      const code = await editorCode();
      if (view?.state.doc.toString() !== before) return view === undefined;
      const change = differenceOf(before, after);
      if (change !== undefined) code.applyChanges(view, [change]);
      return true;
    },
    undo: () => withView(async (undone) => void (await historyCode()).undo(undone)),
    redo: () => withView(async (redone) => void (await historyCode()).redo(redone)),
    search: () => withView(async (searched) => void (await searchCode()).openSearchPanel(searched)),
  };
}

/** Marks the problems of the text, and what made a run fail. */
function useProblemMarks(
  view: EditorView | undefined,
  viewed: ViewedText | undefined,
  cause: Problem | undefined,
): void {
  useEffect(() => {
    const mark = async (shown: EditorView, { text, view: found }: ViewedText): Promise<void> => {
      const { showProblems } = await editorCode();
      const problems = cause === undefined ? found.problems : [cause, ...found.problems];
      if (shown.state.doc.toString() === text) showProblems(shown, problems);
    };
    if (view !== undefined && viewed !== undefined) void mark(view, viewed);
  }, [view, viewed, cause]);
}
