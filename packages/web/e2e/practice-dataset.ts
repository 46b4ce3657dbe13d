import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { newStateFolder } from "./own-server.ts";

/** The synthetic dataset of 40 subjects with gaps. */
export async function practiceDataset(): Promise<string> {
  const folder = join(await newStateFolder(), "study");
  execFileSync(process.execPath, ["packages/catalog/lib/bids/1.0.0/make-dataset.mjs", folder]);
  return folder;
}
