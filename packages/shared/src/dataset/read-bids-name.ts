import { FOLDER_EXTENSIONS, SUFFIXES } from "./dataset-terms.ts";

/** Values by field: entities of the name, `suffix`, `extension` and `datatype`. */
export type Fields = Readonly<Record<string, string>>;

export type ReadName = { readonly fields: Fields } | { readonly fault: string };

const PAIR = /^([a-zA-Z0-9]+)-([a-zA-Z0-9+]+)$/;
const MAX_PAIRS = 30;

/**
 * Reads `sub-01/ses-2/anat/sub-01_ses-2_T1w.nii.gz`: entities, suffix and extension of the name, and the data type,
 * which is the folder. The fault says why it is not a BIDS name.
 */
export function readBidsName(path: string): ReadName {
  const names = path.split("/");
  const name = names.at(-1) ?? "";
  const dot = name.indexOf(".");
  if (dot <= 0) return { fault: "the name has no extension" };
  const parts = name.slice(0, dot).split("_");
  const suffix = parts.pop() ?? "";
  if (!/^[a-zA-Z0-9]+$/.test(suffix))
    return { fault: `"${suffix}" at the end of the name is not a suffix such as T1w` };
  if (parts.length > MAX_PAIRS) return { fault: "the name has too many parts" };
  const fields: Record<string, string> = {};
  for (const part of parts) {
    const [, key, value] = PAIR.exec(part) ?? [];
    if (key === undefined || value === undefined) return { fault: `"${part}" is not of the form key-value` };
    if (Object.hasOwn(fields, key) || RESERVED.has(key)) return { fault: `the name has "${key}" twice` };
    fields[key] = value;
  }
  const datatype = dataTypeOf(names.slice(0, -1));
  Object.assign(fields, { suffix, extension: name.slice(dot) }, datatype === undefined ? {} : { datatype });
  const fault = faultOfFolder(names.slice(0, -1), fields);
  return fault === undefined ? { fields } : { fault };
}

const RESERVED = new Set(["suffix", "extension", "datatype", "path", "json", "__proto__", "constructor"]);

function dataTypeOf(folders: readonly string[]): string | undefined {
  const last = folders.findLast((name) => !name.includes("-") && !isRecordingFolder(name));
  return last !== undefined && /^[a-z]+$/.test(last) ? last : undefined;
}

/** A folder names a subject or session that the name must repeat. */
function faultOfFolder(folders: readonly string[], fields: Fields): string | undefined {
  for (const folder of folders) {
    const [, key, value] = PAIR.exec(folder) ?? [];
    if ((key !== "sub" && key !== "ses") || fields[key] === value) continue;
    return fields[key] === undefined
      ? `the name lacks ${folder}, the name of its folder`
      : `the name has ${key}-${fields[key]}, but the folder is ${folder}`;
  }
  if (fields["sub"] !== undefined && !folders.includes(`sub-${fields["sub"]}`) && folders.length > 0)
    return `the file is not in the folder sub-${fields["sub"]}`;
  return undefined;
}

export function isRecordingFolder(name: string): boolean {
  return FOLDER_EXTENSIONS.some((extension) => name.endsWith(extension));
}

/** Why a suffix is invalid; undefined if BIDS defines it. */
export function suffixFault(suffix: string): string | undefined {
  if (SUFFIXES.has(suffix)) return undefined;
  const near = [...SUFFIXES].find((known) => isNear(known, suffix));
  return `"${suffix}" is not a BIDS suffix${near === undefined ? "" : `; it has ${near}`}`;
}

function isNear(known: string, given: string): boolean {
  const [a, b] = [known.toLowerCase(), given.toLowerCase()];
  return a === b || (b.length > 1 && (a.slice(0, -1) === b || b.slice(0, -1) === a));
}
