import type { SafeName } from "./safe-name.ts";

/**
 * CWL v1.2 CommandLineTool.html#File. Locations are absolute URIs once a value has been resolved. Only `checkedValue`
 * creates one from outside JSON: an unchecked string is not a `basename`.
 */
export interface FileValue {
  readonly class: "File";
  readonly location?: string;
  readonly path?: string;
  readonly basename?: SafeName;
  readonly dirname?: string;
  readonly nameroot?: string;
  readonly nameext?: string;
  /** `sha1$` and 40 hexadecimal digits. */
  readonly checksum?: string;
  /** Bytes. */
  readonly size?: number;
  readonly secondaryFiles?: readonly FileOrDirectory[];
  readonly format?: string;
  /** The text of a file literal, or the first 64 KiB of a file if `loadContents` requests it. */
  readonly contents?: string;
}

/** CWL v1.2 CommandLineTool.html#Directory. */
export interface DirectoryValue {
  readonly class: "Directory";
  readonly location?: string;
  readonly path?: string;
  readonly basename?: SafeName;
  readonly listing?: readonly FileOrDirectory[];
}

export type FileOrDirectory = FileValue | DirectoryValue;

/**
 * Any checked value of a CWL parameter; `class` distinguishes `File` and `Directory` objects from records. JSON from outside
 * is `unknown` until `checkedValue` has checked it. A `bigint` is a whole number beyond 2^53 that fits into 64 bits and
 * was written as a whole number; results of calculations are numbers.
 */
export type CwlValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | FileValue
  | DirectoryValue
  | readonly CwlValue[]
  | { readonly [field: string]: CwlValue };

/** An input or output object: parameter name to value. Built with a null prototype or as a plain object literal. */
export type CwlObject = { readonly [name: string]: CwlValue };
