import { InputsEditor, type InputsEditorProps } from "./inputs-editor.tsx";
import { yamlSyntax } from "./yaml-syntax.ts";

export default function YamlEditor(props: Omit<InputsEditorProps, "syntax">) {
  return <InputsEditor syntax={yamlSyntax} {...props} />;
}
