/**
 * A basename taken apart, `nameroot + nameext`: the extension starts with the last period; periods at the start of the
 * name do not count. CWL v1.2 CommandLineTool.html#File.
 */
export function splitName(basename: string): { readonly nameroot: string; readonly nameext: string } {
  const leading = /^\.*/.exec(basename)?.[0].length ?? 0;
  const period = basename.lastIndexOf(".");
  const cut = period < leading ? basename.length : period;
  return { nameroot: basename.slice(0, cut), nameext: basename.slice(cut) };
}

/** True for a name that stands for one entry of a folder. */
export function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("/") && !name.includes("\0");
}
