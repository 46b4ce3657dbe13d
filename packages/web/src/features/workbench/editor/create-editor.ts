import { type CompletionContext, autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  HighlightStyle,
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { type Extension, Annotation, EditorState, Transaction } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Problem, TextChange } from "../language/document-language.ts";
import type { LanguageClient } from "../language/language-client.ts";

/** The services of a CWL document, which other files lack. */
export interface DocumentService {
  readonly language: LanguageClient;
  /** `offset`: the place of the name in `text`. */
  readonly onRename: (name: string, offset: number, text: string) => void;
}

interface EditorOptions {
  readonly text: string;
  readonly label: string;
  readonly isYaml: boolean;
  /** Absent: the text is not the document. */
  readonly service: DocumentService | undefined;
  /** Called after every change, by the user or by code. */
  readonly onChange: (text: string) => void;
}

/** Marks a change that came from elsewhere, such as another editor; it cannot be undone here. */
const fromOutside = Annotation.define<boolean>();

/** Only `\n` ends a line. Other line endings remain characters of the text, which the editor must not change. */
export const lineEndOfEditor = EditorState.lineSeparator.of("\n");

/** The colors of the page, which also reach into the editor's shadow root. */
const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.keyword, tags.meta, tags.labelName], color: "var(--running)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--soft)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "13.5px" },
  "&.cm-focused": { outline: "none" },
  // Above the gutters, which would hide a part of the editor's own outline.
  "&.cm-focused::after": {
    ...{ content: "''", position: "absolute", inset: "0", zIndex: "300", pointerEvents: "none" },
    ...{ outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  },
  ".cm-scroller": { fontFamily: "var(--font-mono, ui-monospace, monospace)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 25%, transparent)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "0 4px 16px rgb(0 0 0 / 18%)",
    maxWidth: "32rem",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--ink)",
  },
  ".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal" },
  ".cm-hover": { padding: "6px 10px", whiteSpace: "pre-wrap", fontSize: "13px" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "3px solid transparent", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--failed)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--canceled)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--accent)",
    borderRadius: "4px",
    fontWeight: "600",
  },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)" },
  ".cm-panel input, .cm-panel button": {
    color: "var(--ink)",
    background: "var(--surface)",
    border: "1px solid var(--edge)",
  },
  ".cm-foldPlaceholder": { background: "var(--sunken)", color: "var(--soft)", border: "none" },
});

const LEAVING = "Tab indents. To leave the editor, press Escape, then Tab.";

const editorTheme: Extension = [theme, syntaxHighlighting(colors)];

/**
 * An editor for a file of a draft in a shadow root, where its styles need no exception from the Content-Security-Policy. Its history
 * also covers gestures in the drawing, which change the text like all other edits.
 */
export function createEditor(host: HTMLElement, options: EditorOptions): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const extensions = [
    lineEndOfEditor,
    // Windows copies and drops text with its own line ends, which scripts cannot run with.
    EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\r\n?/g, "\n")),
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    ...(options.isYaml ? [yaml()] : []),
    indentUnit.of("  "),
    editorTheme,
    ...(options.service === undefined ? [] : documentExtensions(options.service)),
    keymap.of([
      ...completionKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    // Without a tabindex, accessibility checks assume that the keyboard cannot reach the scrolling text.
    EditorView.contentAttributes.of({ "aria-label": options.label, "aria-description": LEAVING, tabindex: "0" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.onChange(update.state.doc.toString());
    }),
  ];
  return new EditorView({ parent: root, root, state: EditorState.create({ doc: options.text, extensions }) });
}

function documentExtensions(service: DocumentService) {
  const { language } = service;
  return [
    lintGutter(),
    keymap.of([
      { key: "F2", run: (view) => rename(view, service) },
      { key: "F12", run: (view) => goToDefinition(view, language) },
    ]),
    autocompletion({ override: [(context) => complete(context, language)], icons: false }),
    hoverTooltip(async (view, offset) => {
      const text = await language.hover(view.state.doc.toString(), offset);
      if (text === undefined) return null;
      return { pos: offset, create: () => ({ dom: hoverCard(text) }) };
    }),
  ];
}

/** Plain text: the service's Markdown is short and reads well without its markup. */
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

function rename(view: EditorView, { language, onRename }: DocumentService): boolean {
  const text = view.state.doc.toString();
  const offset = view.state.selection.main.head;
  void language.nameAt(text, offset).then((name) => name !== undefined && onRename(name, offset, text));
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

/** Marks the problems at their places. The editor moves the problems of an older text along. */
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

/** Makes changes that one undo reverts together. */
export function applyChanges(view: EditorView, changes: readonly TextChange[]): void {
  view.dispatch({ changes: [...changes], userEvent: "input.edit" });
}

/** Makes a change that came from elsewhere. */
export function replaceText(view: EditorView, change: TextChange): void {
  view.dispatch({ changes: change, annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)] });
}

/** The one change that turns a text into another; undefined if they are equal. */
export function differenceOf(old: string, text: string): TextChange | undefined {
  if (old === text) return undefined;
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old[start] === text[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  return { from: start, to: old.length - end, insert: text.slice(start, text.length - end) };
}
