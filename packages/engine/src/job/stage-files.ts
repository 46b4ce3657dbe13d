import { constants, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { cp, copyFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { isBelow } from "../files/is-below.ts";
import type { StagingEntry } from "@weft/cwl/command/job-plan.ts";

/**
 * Carries out a staging plan: folders and links where reading is enough, copies where the job may write. In order.
 * `updatable`: folder whose files the job may change in place (InplaceUpdateRequirement); what lies elsewhere is not ours
 * to change and is copied all the same. Only copies take time; folders, links and texts are made at once (the state folder
 * is on a local disk).
 */
export async function stageFiles(entries: readonly StagingEntry[], updatable?: string): Promise<void> {
  const made = new Set<string>();
  for (const entry of entries) {
    makeParent(entry.target, made);
    await stage(entry, updatable);
  }
}

function makeParent(target: string, made: Set<string>): void {
  const parent = dirname(target);
  if (made.has(parent)) return;
  mkdirSync(parent, { recursive: true });
  made.add(parent);
}

async function stage(entry: StagingEntry, updatable: string | undefined): Promise<void> {
  switch (entry.kind) {
    case "folder":
      mkdirSync(entry.target, { recursive: true });
      return;
    case "link":
      symlinkSync(fileURLToPath(entry.source), entry.target);
      return;
    case "copy":
      await copyOrLink(fileURLToPath(entry.source), entry, updatable);
      return;
    case "text":
      writeFileSync(entry.target, entry.text);
      return;
  }
}

type CopyEntry = Extract<StagingEntry, { kind: "copy" }>;

async function copyOrLink(source: string, entry: CopyEntry, updatable: string | undefined): Promise<void> {
  if (updatable !== undefined && isBelow(source, updatable)) symlinkSync(source, entry.target);
  else if (entry.of === "File") await copyFile(source, entry.target, constants.COPYFILE_FICLONE);
  else await cp(source, entry.target, { recursive: true, dereference: true, mode: constants.COPYFILE_FICLONE });
}
