import { InputsEditor, type InputsEditorProps } from "./inputs-editor.tsx";
import { jsonSyntax } from "./json-syntax.ts";

export default function JsonEditor(props: Omit<InputsEditorProps, "syntax">) {
  return <InputsEditor syntax={jsonSyntax} {...props} />;
}
