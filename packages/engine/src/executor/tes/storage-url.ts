import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { isBelow } from "../../files/is-below.ts";
import type { TesSettings } from "./tes-settings.ts";

/** The address under which workers see a path of this machine; undefined where no folder of `storage` holds it. */
export function storageUrl(path: string, storage: TesSettings["storage"]): string | undefined {
  const folders = Object.keys(storage);
  if (folders.length === 0) return pathToFileURL(path).href;
  const nearest = folders.filter((folder) => isBelow(path, folder)).toSorted((a, b) => b.length - a.length)[0];
  if (nearest === undefined) return undefined;
  const base = (storage[nearest] ?? "").replace(/\/$/, "");
  const rest = relative(nearest, path);
  return rest === "" ? base : `${base}${pathToFileURL(`/${rest}`).pathname}`;
}
