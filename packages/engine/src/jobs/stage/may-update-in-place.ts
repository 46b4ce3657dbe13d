import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { JobPlan } from "@weft/cwl/model/job-plan.ts";
import type { OpenFolder } from "../../files/beneath/open-folder.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import { runNow } from "../../files/beneath/steps.ts";
import { isBelow } from "../../files/is-below.ts";

/**
 * Whether a job that requests it (InplaceUpdateRequirement) may change files of its run in place. Not if one of them
 * has hard links, like a file reused from an earlier run; then the job gets copies.
 */
export function mayUpdateInPlace({ inplaceUpdate, staging }: JobPlan, runFolder: string, reach: Reach): boolean {
  if (!inplaceUpdate) return false;
  return staging.every((entry) => {
    if (entry.kind !== "copy") return true;
    const path = fileURLToPath(entry.source);
    if (!isBelow(path, runFolder)) return true;
    using folder = runNow(reach.openFolder(dirname(path)));
    return hasOneName(folder, basename(path));
  });
}

function hasOneName(folder: OpenFolder, name: string): boolean {
  const found = runNow(folder.lstat(name));
  if (found?.isDirectory() !== true) return found?.nlink === 1;
  using inner = runNow(folder.folder(name));
  return runNow(inner.entries()).every((entry) => hasOneName(inner, entry.name));
}
