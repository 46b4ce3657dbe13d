import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JobPlan } from "@weft/cwl/command/job-plan.ts";
import { isBelow } from "../files/is-below.ts";

/**
 * Whether a job that wants to (InplaceUpdateRequirement) may change files of its run where they lie. Not if one of them has
 * another name as well, as what was taken over from an earlier run has: then the job gets copies.
 */
export function mayUpdateInPlace({ inplaceUpdate, staging }: JobPlan, runFolder: string): boolean {
  if (!inplaceUpdate) return false;
  return staging.every((entry) => {
    if (entry.kind !== "copy") return true;
    const path = fileURLToPath(entry.source);
    return !isBelow(path, runFolder) || hasOneName(path);
  });
}

function hasOneName(path: string): boolean {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.nlink === 1;
  return readdirSync(path).every((name) => hasOneName(join(path, name)));
}
