import { hash } from "node:crypto";
import type { CwlObject, CwlValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { writeExactJson } from "@weft/shared/json/exact-json.ts";
import { canonicalForm, canonicalText } from "../../values/canonical-text.ts";
import { isFileOrDirectory, isScalar } from "../../values/map-files.ts";
import { giveWay } from "../../async/give-way.ts";

/** The source of file contents. */
export interface Contents {
  /** The checksum of a File with a location: `sha1$…`. */
  checksumOf(file: FileValue & { readonly location: string }): Promise<string>;
  folder(uri: string): Promise<string>;
}

/**
 * A digest of everything in a value that a tool can see: Files by content, names, formats and secondary files,
 * Directories by their whole content, but never locations.
 */
export async function valueDigest(value: CwlValue, contents: Contents): Promise<string> {
  if (isScalar(value)) return shortDigest(canonicalText(value));
  const form = canonicalForm(await contentForm(value, contents));
  await giveWay();
  const text = await textInTurns(form);
  await giveWay();
  return shortDigest(text);
}

/** `writeExactJson`, but yields to other work between the items of a long list. */
async function textInTurns(form: unknown): Promise<string> {
  if (!Array.isArray(form)) return writeExactJson(form);
  const texts: string[] = [];
  for (let first = 0; first < form.length; first += ITEMS_AT_ONCE) {
    texts.push(writeExactJson(form.slice(first, first + ITEMS_AT_ONCE)).slice(1, -1));
    await giveWay();
  }
  return `[${texts.join(",")}]`;
}

const ITEMS_AT_ONCE = 1000;

/** Digests of an object's values, by field. */
export async function valueDigests(object: CwlObject, contents: Contents): Promise<Readonly<Record<string, string>>> {
  const digests: [string, string][] = [];
  for (const [name, value] of Object.entries(object)) digests.push([name, await valueDigest(value, contents)]);
  return Object.fromEntries(digests);
}

async function contentForm(value: CwlValue, contents: Contents): Promise<unknown> {
  if (isScalar(value)) return value;
  const due = giveWay();
  if (due !== undefined) await due;
  if (isFileOrDirectory(value)) return fileForm(value, contents);
  if (Array.isArray(value)) return allForms(value, contents);
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value))
    fields.push([name, isScalar(field) ? field : await contentForm(field, contents)]);
  // Distinguishes a record from a list of its fields, and from a File.
  return { fields };
}

async function allForms(values: readonly CwlValue[], contents: Contents): Promise<readonly unknown[]> {
  const forms: unknown[] = [];
  for (const value of values) forms.push(isScalar(value) ? value : await contentForm(value, contents));
  return forms;
}

/** The parts of a File or Directory that a tool can see, without the location and fields that follow from the content. */
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

/** 128 bits of SHA-256 of a text in 22 characters: practically collision-free, and small in the log. */
export function shortDigest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
