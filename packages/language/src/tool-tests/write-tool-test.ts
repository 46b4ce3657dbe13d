import { writeYaml } from "@weft/cwl/document/write-yaml.ts";
import type { CwlObject, CwlValue, DirectoryValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { isArray, isDirectory, isFile, isFileOrDirectory, isRecord } from "@weft/cwl/values/value-kind.ts";

export interface WrittenTest {
  /** First line, as a comment. */
  readonly origin: string;
  /** Locations of files relative to the test, or absolute. */
  readonly inputs: CwlObject;
  readonly outputs: CwlObject;
}

/** The text of a test that a run with the same outputs passes: files are compared by name, checksum and size. */
export function writeToolTest({ origin, inputs, outputs }: WrittenTest): string {
  const named = Object.entries(outputs).map(([name, value]) => [name, expectationOf(value)]);
  const test = { inputs, outputs: Object.fromEntries(named) as CwlObject };
  return `# ${origin.replaceAll(/\s+/g, " ")}\n${writeYaml(test)}`;
}

function expectationOf(value: CwlValue): CwlValue {
  if (isFile(value)) return expectedFile(value);
  if (isDirectory(value)) return expectedFolder(value);
  if (isArray(value)) return value.map(expectationOf);
  if (!isRecord(value)) return value;
  if (!holdsFile(value)) return { value };
  const fields = Object.entries(value).map(([name, field]) => [name, expectationOf(field)]);
  return { fields: Object.fromEntries(fields) as CwlObject }; // built here
}

function expectedFile({ basename, checksum, size, secondaryFiles = [] }: FileValue): CwlObject {
  return {
    class: "File",
    ...(basename === undefined ? {} : { basename }),
    ...(checksum === undefined ? {} : { checksum }),
    ...(size === undefined ? {} : { size }),
    ...(secondaryFiles.length === 0 ? {} : { secondary_files: byName(secondaryFiles) }),
  };
}

function expectedFolder({ basename, listing = [] }: DirectoryValue): CwlObject {
  const named = { class: "Directory", ...(basename === undefined ? {} : { basename }) };
  return listing.length === 0 ? named : { ...named, count: listing.length, files: byName(listing) };
}

function byName(files: readonly FileOrDirectory[]): CwlObject {
  return Object.fromEntries(files.map((file) => [file.basename ?? "", expectationOf(file)]));
}

function holdsFile(value: CwlValue): boolean {
  if (isFileOrDirectory(value)) return true;
  if (isArray(value)) return value.some(holdsFile);
  return isRecord(value) && Object.values(value).some(holdsFile);
}
