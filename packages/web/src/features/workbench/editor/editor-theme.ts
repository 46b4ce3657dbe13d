import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The colours of the page, which also reach into the editor's shadow root. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.keyword, tags.meta, tags.labelName], color: "var(--running)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--soft)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "13.5px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
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

export const editorTheme: Extension = [theme, syntaxHighlighting(colours)];
