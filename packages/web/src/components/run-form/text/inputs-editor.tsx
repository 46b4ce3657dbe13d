import { TextArea } from "../../../ui/field.tsx";
import { useFormStore, useFormValues } from "../fields/form-context.ts";
import type { InputSyntax, TextDraft } from "./input-syntax.ts";

export interface InputsEditorProps {
  readonly syntax: InputSyntax;
  readonly draft: TextDraft | undefined;
  readonly onDraft: (draft: TextDraft) => void;
}

/** A text editor for the inputs. Invalid text stays in the box, with the position of the error. */
export function InputsEditor({ syntax, draft, onDraft }: InputsEditorProps) {
  const store = useFormStore();
  const values = useFormValues();
  const typed = draft?.syntax === syntax.id && draft.values === values ? draft : undefined;
  const text = typed?.text ?? syntax.write(values);
  const change = (next: string): void => {
    const read = syntax.read(next);
    if (read.values !== undefined) store.replaceValues(read.values);
    onDraft({ syntax: syntax.id, text: next, values: store.values(), fault: read.fault });
  };
  return (
    <div>
      <label className="mb-1 block font-semibold" htmlFor="inputs-text">
        Input object in {syntax.label}
      </label>
      <TextArea
        code
        id="inputs-text"
        rows={18}
        aria-invalid={typed?.fault !== undefined}
        aria-describedby="inputs-text-fault"
        value={text}
        onType={change}
      />
      <p id="inputs-text-fault" aria-live="polite" className="min-h-6 font-medium text-failed">
        {typed?.fault}
      </p>
    </div>
  );
}
