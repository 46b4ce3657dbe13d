import { isFileValue } from "../../../format/value-text.ts";
import { ChosenFile } from "../files/chosen-file.tsx";
import { FileChooser } from "../files/file-chooser.tsx";
import { FormatSelect } from "../files/format-select.tsx";
import { asFormat } from "../model/file-format.ts";
import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

/** One file or folder. */
export function FileField({ kind, formats, ...field }: FieldProps & { readonly kind: "File" | "Directory" }) {
  const [value, setValue] = useFieldValue(field.path);
  return (
    <FieldFrame deep {...field}>
      {(aria) =>
        isFileValue(value) ? (
          <ChosenFile file={value}>
            <FormatSelect file={value} formats={formats} onChange={setValue} />
            <button
              {...aria}
              type="button"
              className="btn btn-quiet btn-small"
              aria-label={`Change the ${kind === "File" ? "file" : "folder"} of ${field.label}`}
              onClick={() => setValue(undefined)}
            >
              Change
            </button>
          </ChosenFile>
        ) : (
          <FileChooser
            kind={kind}
            label={field.label}
            multiple={false}
            formats={formats}
            aria={aria}
            onChoose={(file) => setValue(asFormat(file, formats))}
          />
        )
      }
    </FieldFrame>
  );
}
