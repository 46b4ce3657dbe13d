import { sep } from "node:path";
import type { Caller } from "../engine.ts";
import type { AllowedRoots } from "../files/allowed-roots.ts";
import { visibleOwner } from "./visible-runs.ts";

export interface RunFolders {
  readonly roots: AllowedRoots;
  readonly ownerOf?: (runId: string) => string | undefined;
}

/**
 * Which paths a caller may name as inputs; undefined: all below the allowed folders. From whom runs are hidden, their files
 * are hidden too, and so are folders that hold them as a whole. An upload is known by its address, which nobody can guess.
 */
export function visibleFiles(
  caller: Caller,
  { roots, ownerOf }: RunFolders,
): ((path: string) => Promise<boolean>) | undefined {
  const owner = visibleOwner(caller);
  if (owner === undefined) return undefined;
  return async (path) => {
    const way = await roots.wayWithin("runs", path);
    if (way !== undefined) return ownerOf?.(way.split(sep, 1)[0] ?? "") === owner;
    return !(await roots.holds(path, "runs")) && !(await roots.holds(path, "uploads"));
  };
}
