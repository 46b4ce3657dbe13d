import { type FileValue, fileName, isFileValue } from "../../../format/value-text.ts";
import { ChosenFile, FileChooser, FormatSelect } from "../files/file-chooser.tsx";
import { asFormat, fileAddress, fileFromText } from "../model/file-format.ts";
import type { FormPath } from "../model/form-store.ts";
import { EntriesAsText, EntryButtons, EntryList } from "./entry-list.tsx";
import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { fieldId, useFieldProblems, useFieldValue, useFormStore } from "./form-context.ts";

/** A list of files or folders; several can be dropped or picked at once. */
export function FileListField({ kind, formats, ...field }: FieldProps & { readonly kind: "File" | "Directory" }) {
  const store = useFormStore();
  const [value, setValue] = useFieldValue(field.path);
  const entries = entriesOf(value);
  // Several uploads may finish before the next render: each must see the current list.
  const append = (file: FileValue): void =>
    store.set(field.path, [...entriesOf(store.get(field.path)), asFormat(file, formats)]);
  const fromLine = (line: string): FileValue => asFormat(fileFromText(kind, line), formats);
  const change = (next: readonly unknown[]): void => setValue(next.length === 0 && !field.required ? undefined : next);
  const entryAt = (place: number) => (
    <FileEntry path={[...field.path, place]} {...{ place, entries, formats }} onChange={change} />
  );
  return (
    <FieldFrame {...field}>
      {(aria) => (
        <>
          {entries.length > 0 && (
            <div className="mb-2">
              <EntryList
                path={field.path}
                label={field.label}
                count={entries.length}
                estimatedPx={54}
                renderEntry={entryAt}
              />
            </div>
          )}
          <FileChooser kind={kind} label={field.label} multiple formats={formats} aria={aria} onChoose={append} />
          <div className="mt-2">
            <EntriesAsText
              label={field.label}
              text={() => entries.map((entry) => (isFileValue(entry) ? fileAddress(entry) : "")).join("\n")}
              onLines={(lines) => change(filesOfLines(lines, entries, fromLine))}
            />
          </div>
        </>
      )}
    </FieldFrame>
  );
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A line that was already there keeps its file object, with format and secondary files. */
function filesOfLines(
  lines: readonly string[],
  entries: readonly unknown[],
  fileOf: (line: string) => FileValue,
): readonly unknown[] {
  const known = new Map(entries.filter(isFileValue).map((file) => [fileAddress(file), file]));
  return lines.map((line) => known.get(line) ?? fileOf(line));
}

interface FileEntryProps {
  readonly path: FormPath;
  readonly place: number;
  readonly entries: readonly unknown[];
  readonly formats: readonly string[] | undefined;
  readonly onChange: (entries: readonly unknown[]) => void;
}

function FileEntry({ path, place, entries, formats, onChange }: FileEntryProps) {
  const entry = entries[place];
  const problems = useFieldProblems(path, true);
  const buttons = (
    <EntryButtons
      name={isFileValue(entry) ? fileName(entry) : `entry ${place + 1}`}
      place={place}
      entries={entries}
      onChange={onChange}
    />
  );
  return (
    <div id={fieldId(path)} tabIndex={-1} className={`rounded-lg ${problems.length > 0 ? "ring-2 ring-failed" : ""}`}>
      {isFileValue(entry) ? (
        <ChosenFile file={entry}>
          <FormatSelect file={entry} formats={formats} onChange={(file) => onChange(entries.with(place, file))} />
          {buttons}
        </ChosenFile>
      ) : (
        <span className="flex items-center gap-2">No file selected {buttons}</span>
      )}
      {problems.map((problem) => (
        <p key={problem.pointer + problem.message} className="px-3 pb-1 font-medium text-failed">
          {problem.message}
        </p>
      ))}
    </div>
  );
}
