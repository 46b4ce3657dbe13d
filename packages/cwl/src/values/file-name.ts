import { toSafeName, type SafeName } from "../model/safe-name.ts";
import { nameOfUri } from "./file-uri.ts";

/**
 * Splits a basename into `nameroot` and `nameext`: the extension starts with the last period; periods at the start of the
 * name do not count. CWL v1.2 CommandLineTool.html#File.
 */
export function splitName(basename: string): { readonly nameroot: string; readonly nameext: string } {
  const leading = /^\.*/.exec(basename)?.[0].length ?? 0;
  const period = basename.lastIndexOf(".");
  const cut = period < leading ? basename.length : period;
  return { nameroot: basename.slice(0, cut), nameext: basename.slice(cut) };
}

/**
 * The name of a File or Directory without a `basename`: the one in its address, decoded. Undefined if this is not a
 * single name, as with `https://host/..%2Fa`. Literals and `data:` addresses have no name in them.
 */
export function addressName({ class: kind, location }: Addressed): SafeName | undefined {
  const isNameless = location === undefined || /^(?:data|_):/.test(location);
  return toSafeName(isNameless ? `literal-${kind.toLowerCase()}` : nameOfUri(location));
}

interface Addressed {
  readonly class: "File" | "Directory";
  readonly location?: string | undefined;
}
