import type { CwlObject, CwlValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { canonicalText } from "../canonical-text.ts";
import { isFileOrDirectory } from "../files/map-files.ts";
import { shortDigest } from "./short-digest.ts";

/** Where the content of files comes from. */
export interface Contents {
  /** Of a File with a location: `sha1$…`. */
  checksumOf(file: FileValue & { readonly location: string }): Promise<string>;
  folder(uri: string): Promise<string>;
}

/**
 * A digest over what a tool can see of a value: Files by content, names, formats and secondary files, Directories by all
 * that they hold, never by where they lie.
 */
export async function valueDigest(value: CwlValue, contents: Contents): Promise<string> {
  return shortDigest(canonicalText(await contentForm(value, contents)));
}

/** The same for each value of an object. */
export async function valueDigests(object: CwlObject, contents: Contents): Promise<Readonly<Record<string, string>>> {
  const digests: [string, string][] = [];
  for (const [name, value] of Object.entries(object)) digests.push([name, await valueDigest(value, contents)]);
  return Object.fromEntries(digests);
}

async function contentForm(value: CwlValue, contents: Contents): Promise<unknown> {
  if (typeof value !== "object" || value === null) return value;
  if (isFileOrDirectory(value)) return fileForm(value, contents);
  if (Array.isArray(value)) return allForms(value, contents);
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) fields.push([name, await contentForm(field, contents)]);
  // A record is told apart from a list of its fields, and from a File.
  return { fields };
}

async function allForms(values: readonly CwlValue[], contents: Contents): Promise<readonly unknown[]> {
  const forms: unknown[] = [];
  for (const value of values) forms.push(await contentForm(value, contents));
  return forms;
}

/** Where it lies, and what follows from its content, does not count. */
async function fileForm(value: FileOrDirectory, contents: Contents): Promise<unknown> {
  const { location, path: _path, ...rest } = value;
  if (rest.class === "Directory") {
    const { listing = [], ...kept } = rest;
    const held =
      location === undefined
        ? { listing: await allForms(listing, contents) }
        : { folder: await contents.folder(location) };
    return { ...kept, basename: fileName(value), ...held };
  }
  const { checksum: _checksum, size: _size, dirname: _dirname, secondaryFiles = [], ...kept } = rest;
  const content = location === undefined ? {} : { checksum: await contents.checksumOf({ ...rest, location }) };
  return { ...kept, basename: fileName(value), ...content, beside: await allForms(secondaryFiles, contents) };
}

/** `sub-01.nii.gz` */
export function fileName({ basename, location = "" }: FileOrDirectory): string {
  return basename ?? decodeURIComponent(location.replace(/\/$/, "").split("/").at(-1) ?? "");
}
