import { constants } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Crate, CratePart } from "./crate-part.ts";

/** Writes a crate into a folder, which is made where it is not there. The metadata comes last: without them it is none. */
export async function writeCrateFolder({ parts }: Crate, folder: string): Promise<void> {
  const [metadata, ...others] = parts;
  for (const part of metadata === undefined ? [] : [...others, metadata]) {
    const path = join(folder, part.name);
    await mkdir(dirname(path), { recursive: true });
    if (part.kind === "text") await writeFile(path, part.text);
    else await copyOpen(part, path);
  }
}

async function copyOpen({ open }: Extract<CratePart, { readonly kind: "file" }>, path: string): Promise<void> {
  using file = await open();
  await copyFile(file.descriptorPath, path, constants.COPYFILE_FICLONE);
}
