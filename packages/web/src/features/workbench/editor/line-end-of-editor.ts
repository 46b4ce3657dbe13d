import { EditorState } from "@codemirror/state";

/** Only `\n` ends a line. Other line ends stay characters of the text, which the editor must not change. */
export const lineEndOfEditor = EditorState.lineSeparator.of("\n");
