import { isFileValue } from "../../../format/value-text.ts";
import { ChosenFile } from "../files/chosen-file.tsx";
import { FileChooser } from "../files/file-chooser.tsx";
import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

/** One file or folder. */
export function FileField({ kind, ...field }: FieldProps & { readonly kind: "File" | "Directory" }) {
  const [value, setValue] = useFieldValue(field.path);
  return (
    <FieldFrame deep {...field}>
      {(aria) =>
        isFileValue(value) ? (
          <ChosenFile file={value}>
            <button
              {...aria}
              type="button"
              className="btn btn-quiet btn-small"
              aria-label={`Choose another ${kind === "File" ? "file" : "folder"} for ${field.label}`}
              onClick={() => setValue(undefined)}
            >
              Change
            </button>
          </ChosenFile>
        ) : (
          <FileChooser kind={kind} label={field.label} multiple={false} aria={aria} onChoose={setValue} />
        )
      }
    </FieldFrame>
  );
}
