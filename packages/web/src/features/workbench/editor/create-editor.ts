import { autocompletion, closeBrackets, completionKeymap, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { yaml } from "@codemirror/lang-yaml";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, Transaction } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Problem, TextChange } from "../language/document-language.ts";
import type { LanguageClient } from "../language/language-client.ts";
import { editorTheme } from "./editor-theme.ts";
import { lineEndOfEditor } from "./line-end-of-editor.ts";

export interface EditorOptions {
  readonly text: string;
  readonly label: string;
  readonly language: LanguageClient;
  /** Called after every change, by the user or by code. */
  readonly onChange: (text: string) => void;
  readonly onRename: (name: string, offset: number) => void;
}

/** Marks a change that came from elsewhere, such as another editor; it cannot be undone here. */
const fromOutside = Annotation.define<boolean>();

/**
 * An editor of CWL in a shadow root: there its styles need no exception from the Content-Security-Policy. Its history also
 * covers the gestures of the drawing, which are changes of the text like all others.
 */
export function createEditor(host: HTMLElement, options: EditorOptions): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const extensions = [
    lineEndOfEditor,
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    yaml(),
    indentUnit.of("  "),
    editorTheme,
    ...languageExtensions(options),
    keymap.of([
      { key: "F2", run: (view) => rename(view, options) },
      { key: "F12", run: (view) => goToDefinition(view, options.language) },
      ...completionKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    // Without a tabindex, checks take the scrolling text for one that the keyboard does not reach.
    EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.onChange(update.state.doc.toString());
    }),
  ];
  return new EditorView({ parent: root, root, state: EditorState.create({ doc: options.text, extensions }) });
}

function languageExtensions({ language }: EditorOptions) {
  return [
    autocompletion({ override: [(context) => complete(context, language)], icons: false }),
    hoverTooltip(async (view, offset) => {
      const text = await language.hover(view.state.doc.toString(), offset);
      if (text === undefined) return null;
      return { pos: offset, create: () => ({ dom: hoverCard(text) }) };
    }),
  ];
}

/** Plain text: what the service marks up is short, and reads well without its marks. */
function hoverCard(markdown: string): HTMLElement {
  const card = document.createElement("div");
  card.className = "cm-hover";
  card.textContent = markdown.replaceAll(/\*\*|```\w*\n?|`/g, "").trim();
  return card;
}

async function complete(context: CompletionContext, language: LanguageClient) {
  const word = context.matchBefore(/[\w$.\-/]*/);
  const trigger = context.matchBefore(/[.:\s({/[]$/);
  if (!context.explicit && (word === null || word.text === "") && trigger === null) return null;
  const items = await language.complete(context.state.doc.toString(), context.pos);
  if (items.length === 0) return null;
  const options = items.map(({ label, detail, insertText }, at) => ({
    label,
    detail,
    apply: insertText,
    boost: -Math.min(at, 99),
  }));
  return { from: word?.from ?? context.pos, options, validFor: /^[\w$\-/]*$/ };
}

function rename(view: EditorView, { language, onRename }: EditorOptions): boolean {
  const offset = view.state.selection.main.head;
  void language.nameAt(view.state.doc.toString(), offset).then((name) => name !== undefined && onRename(name, offset));
  return true;
}

function goToDefinition(view: EditorView, language: LanguageClient): boolean {
  const { doc, selection } = view.state;
  void language
    .define(doc.toString(), selection.main.head)
    .then((offset) => offset !== undefined && reveal(view, offset));
  return true;
}

/** Moves the cursor to a place and shows it. */
export function reveal(view: EditorView, offset: number): void {
  const anchor = Math.min(offset, view.state.doc.length);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  view.focus();
}

/** Marks the problems at their places. Problems of an older text are moved along by the editor. */
export function showProblems(view: EditorView, problems: readonly Problem[]): void {
  const end = view.state.doc.length;
  const text = view.state.doc.toString();
  const fix = (changes: readonly TextChange[]): void => {
    if (view.state.doc.toString() === text) applyChanges(view, changes);
  };
  const diagnostics = problems.map(({ from, to, severity, message, hint, fixes }): Diagnostic => ({
    from: Math.min(from, end),
    to: Math.min(Math.max(to, from), end),
    severity,
    message: hint === undefined ? message : `${message}\n${hint}`,
    actions: fixes.map(({ title, changes }) => ({ name: title, apply: () => fix(changes) })),
  }));
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** Makes changes that undo takes back together. */
export function applyChanges(view: EditorView, changes: readonly TextChange[]): void {
  view.dispatch({ changes: [...changes], userEvent: "input.edit" });
}

/** Makes a change that came from elsewhere. */
export function replaceText(view: EditorView, change: TextChange): void {
  view.dispatch({ changes: change, annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)] });
}
