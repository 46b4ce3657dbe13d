import type { EditorView } from "@codemirror/view";
import { useQueryClient } from "@tanstack/react-query";
import type { DocumentList, Draft } from "@weft/shared/records/draft-record.ts";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { loadDraft, readDocument } from "../../api/queries/draft-queries.ts";
import { routeQuery } from "../../api/route-query.ts";
import { showError } from "../../ui/toast.tsx";
import type { RunFailure } from "./failure/run-failure-bar.tsx";
import type { DocumentView, LocatedProblem, Problem, TextChange } from "./language/document-language.ts";
import { type LanguageClient, openLanguage } from "./language/language-client.ts";
import type { DraftSession } from "./saving/draft-session.ts";
import { useDraftSession } from "./saving/use-draft-session.ts";

/** The text of a draft, its analysis, and the functions that change it. */
export interface DraftEditing {
  readonly draft: Draft;
  readonly session: DraftSession;
  readonly language: LanguageClient;
  readonly viewed: ViewedText | undefined;
  /** The place of the failure for which the page was opened. */
  readonly located: LocatedProblem | undefined;
  /** False until the editor has loaded. */
  readonly isReady: boolean;
  readonly onReady: (view: EditorView | undefined) => void;
  readonly onRename: (name: string, offset: number, text: string) => void;
  /** The symbol that the user is renaming. */
  readonly renaming: { readonly name: string; readonly offset: number; readonly text: string } | undefined;
  readonly closeRenaming: () => void;
  readonly rename: (name: string) => Promise<string | undefined>;
  readonly show: (offset: number) => void;
  /** Makes changes of a text; refused with a message if the user has changed the same lines since. */
  readonly apply: (changes: readonly TextChange[], of: string) => void;
  /**
   * Replaces the text with the result of `work`, as one step that undo reverts. False if this was refused or failed.
   * `of`: the text that the user saw; default: the current one.
   */
  readonly rewrite: (work: (text: string) => Promise<string>, of?: string) => Promise<boolean>;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly search: () => void;
}

const LOOK_AFTER_MS = 150;

export function useDraftEditor(draft: Draft, known: KnownDocuments, failure: RunFailure | undefined): DraftEditing {
  const session = useDraftSession(draft);
  const language = useLanguage(draft.path, known.peers);
  const viewed = useDocumentView(language, session.text, known.documents);
  const [view, setView] = useState<EditorView | undefined>(undefined);
  const [renaming, setRenaming] = useState<DraftEditing["renaming"]>(undefined);
  const commands = editorCommands(view);
  const changes = textChanges(session);
  const rename = async (name: string): Promise<string | undefined> => {
    if (renaming === undefined) return undefined;
    const found = await language.rename(renaming.text, renaming.offset, name);
    if ("refusal" in found) return found.refusal;
    changes.apply(found.changes, renaming.text);
    return undefined;
  };
  const located = useLocatedFailure(failure, { language, viewed, isReady: view !== undefined, show: commands.show });
  const cause = useMemo(
    () => failure && located && { ...MARK, ...located, message: failedHere(failure), hint: failure.hint },
    [failure, located],
  );
  useProblemMarks(view, viewed, cause);
  return {
    ...{ draft, session, language, viewed, located, isReady: view !== undefined, renaming, rename },
    ...commands,
    ...changes,
    onReady: setView,
    onRename: (name, offset, text) => setRenaming({ name, offset, text }),
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
    undo: () => withView(async (undone) => void (await historyCode()).undo(undone)),
    redo: () => withView(async (redone) => void (await historyCode()).redo(redone)),
    search: () => withView(async (searched) => void (await searchCode()).openSearchPanel(searched)),
  };
}

/** Functions that change the text for the drawing and quick fixes. */
function textChanges(session: DraftSession): Pick<DraftEditing, "apply" | "rewrite"> {
  const replace = (before: string, after: string): boolean => {
    const isDone = session.replace(before, after);
    if (!isDone) showError("These lines have changed in the meantime, so nothing was done. Try again.");
    return isDone;
  };
  return {
    apply: (changes, of) => void replace(of, changed(of, changes)),
    rewrite: (work, of) =>
      session.compute(async () => {
        const text = of ?? session.text;
        try {
          return replace(text, await work(text));
        } catch (error) {
          showError(`The text was not changed: ${error instanceof Error ? error.message : String(error)}`);
          return false;
        }
      }),
  };
}

/** Applies changes, whose offsets all refer to the original text. */
function changed(text: string, changes: readonly TextChange[]): string {
  return changes
    .toSorted((a, b) => b.from - a.from)
    .reduce((before, { from, to, insert }) => before.slice(0, from) + insert + before.slice(to), text);
}

/** Marks the problems of the text, and the place that made a run fail. */
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

/** The place of a failure in the text, updated when the text changes. The editor scrolls to it once. */
function useLocatedFailure(
  failure: RunFailure | undefined,
  { language, viewed, isReady, show }: Pick<DraftEditing, "language" | "viewed" | "isReady" | "show">,
): LocatedProblem | undefined {
  const [located, setLocated] = useState<{ readonly key: string; readonly found: LocatedProblem | undefined }>();
  const shown = useRef("");
  const text = viewed?.text;
  const key = failure === undefined ? "" : `${failure.runId} ${failure.jobId ?? ""}`;
  const reveal = useEffectEvent((found: LocatedProblem | undefined) => {
    if (found === undefined || shown.current === key) return;
    shown.current = key;
    show(found.from);
  });
  const { step, code, place } = failure ?? NOTHING;
  useEffect(() => {
    if (key === "" || text === undefined || !isReady) return;
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const found = await language.locate(text, { step, code, place });
      if (!isCurrent) return;
      setLocated({ key, found });
      reveal(found);
    };
    // If the documents of the steps cannot be read, the place of the failure is unknown.
    void look().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [language, key, step, code, place, text, isReady]);
  return key !== "" && located?.key === key ? located.found : undefined;
}

const NOTHING = { step: "", code: "", place: undefined };

/** The targets of a document's references. */
interface KnownDocuments {
  readonly documents: DocumentList;
  /** Drafts by the paths where they will be published. */
  readonly peers: ReadonlyMap<string, string>;
}

/** The language service of a document. Later changes of the arguments have no effect. */
function useLanguage(path: string, peers: KnownDocuments["peers"]): LanguageClient {
  const cache = useQueryClient();
  const [language] = useState(() => {
    const catalog = async () => cache.ensureQueryData(routeQuery("GET /api/documents"));
    const read = async (file: string): Promise<string | undefined> => {
      if ((await catalog()).files.includes(file)) return readDocument(file);
      const draft = peers.get(file);
      return draft === undefined ? undefined : (await loadDraft(draft)).text;
    };
    const list = async () => (await catalog()).documents.map((document) => document.path);
    return openLanguage(path, { read, list });
  });
  useEffect(() => () => language.close(), [language]);
  return language;
}

/** The language service's findings about a text, updated shortly after a change of it or of the catalog. */
interface ViewedText {
  readonly text: string;
  /** The catalog of that time. */
  readonly documents: DocumentList;
  readonly view: DocumentView;
}

function useDocumentView(language: LanguageClient, text: string, documents: DocumentList): ViewedText | undefined {
  const [viewed, setViewed] = useState<ViewedText | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const view = await language.view(text);
      if (isCurrent) setViewed({ text, documents, view });
    };
    // If other documents cannot be read, the previous findings stay until the next change.
    const timer = setTimeout(() => void look().catch(() => undefined), LOOK_AFTER_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [language, text, documents]);
  return viewed;
}
