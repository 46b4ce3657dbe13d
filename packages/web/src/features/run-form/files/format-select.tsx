import type { FileValue } from "../../../format/value-text.ts";
import { formatName } from "../model/file-format.ts";

export interface FormatSelectProps {
  readonly file: FileValue;
  readonly formats: readonly string[] | undefined;
  readonly onChange: (file: FileValue) => void;
}

/** Selects one of several formats of a file; renders nothing if there is no choice. */
export function FormatSelect({ file, formats, onChange }: FormatSelectProps) {
  if (file.class !== "File" || formats === undefined || formats.length < 2) return null;
  const { format = "", ...rest } = file;
  return (
    <select
      className="input w-auto max-w-48"
      aria-label={`Format of ${file.basename ?? "the file"}`}
      value={format}
      onChange={(event) => onChange(event.target.value === "" ? rest : { ...rest, format: event.target.value })}
    >
      <option value="">Format…</option>
      {[...new Set([...formats, ...(format === "" ? [] : [format])])].map((iri) => (
        <option key={iri} value={iri}>
          {formatName(iri)}
        </option>
      ))}
    </select>
  );
}
