import { typeText } from "@weft/cwl/model/type-text.ts";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { SecondaryFilePattern } from "@weft/cwl/model/binding.ts";
import type { InputParameter, OutputParameter, Process } from "@weft/cwl/model/process.ts";
import { secretInputs } from "@weft/cwl/model/secret-inputs.ts";
import type { InputRecord, OutputRecord } from "@weft/shared/records/process-record.ts";
import { mapFiles } from "../values/map-files.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import { presentType, texts } from "./present-type.ts";

export function presentInputs(process: Process, uris: PortableUris): InputRecord[] {
  const secret = secretInputs(process);
  return process.inputs.map((input) => ({
    ...presentInput(input, uris),
    ...(secret.has(input.id) ? { secret: true as const } : {}),
  }));
}

export function presentInput(input: InputParameter, uris: PortableUris): InputRecord {
  return {
    id: input.id,
    ...texts(input),
    type: presentType(input.type),
    type_text: typeText(input.type),
    required: input.default === undefined && !acceptsNull(input),
    ...(input.default === undefined ? {} : { default: portableValue(input.default, uris) }),
    ...(input.format === undefined ? {} : { format: [...input.format] }),
    ...(input.secondaryFiles.length === 0 ? {} : { secondary_files: input.secondaryFiles.map(presentPattern) }),
  };
}

export function presentOutput(output: OutputParameter): OutputRecord {
  return {
    id: output.id,
    ...texts(output),
    type: presentType(output.type),
    type_text: typeText(output.type),
    ...(output.format === undefined ? {} : { format: [...output.format] }),
  };
}

/** Locations independent of the catalog's location, so that an example can be posted from anywhere. */
export function portableValue(value: CwlValue, uris: PortableUris): CwlValue {
  return mapFiles(value, (file) =>
    file.location === undefined ? file : { ...file, location: uris.toPortable(file.location) },
  );
}

export function acceptsNull(input: Pick<InputParameter, "type">): boolean {
  const { type } = input;
  return (
    type.kind === "null" ||
    type.kind === "Any" ||
    (type.kind === "union" && type.options.some((option) => option.kind === "null"))
  );
}

function presentPattern(pattern: SecondaryFilePattern): { pattern: string; required: boolean } {
  return { pattern: pattern.pattern, required: pattern.required !== false };
}
