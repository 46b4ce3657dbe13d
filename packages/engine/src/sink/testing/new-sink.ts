import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { Reach } from "../../files/beneath/reach.ts";
import { hashFile } from "../../files/hash-file.ts";
import { placeFiles } from "../place-files.ts";
import type { Placement } from "../plan-placements.ts";

/** A folder to write to, and a way to place texts in it. */
export async function newSink(root: string, name: string) {
  const folder = join(root, name);
  await mkdir(join(root, `${name}-out`));
  await mkdir(folder);
  const placement = async (path: string, text: string | undefined): Promise<Placement> => {
    const whole = { path: path.split("/"), location: undefined };
    const at = { output: "o", sampleId: null, root: "r", path: whole.path, whole };
    if (text === undefined) return { ...at, file: undefined };
    const source = join(root, `${name}-out`, path.replaceAll("/", "_"));
    await writeFile(source, text);
    const { sha1, sizeBytes } = await hashFile(source);
    return { ...at, file: { location: pathToUri(source), checksum: sha1, size: sizeBytes } };
  };
  const placed: Placement[] = [];
  const place = (placements: readonly Placement[], folders: Record<string, string> = { r: folder }) =>
    placeFiles(
      placements,
      {
        runId: "run",
        reach: new Reach({ regions: [{ folder: join(root, `${name}-out`) }] }),
        sinks: { folders, umask: 0o027 },
        sync: true,
      },
      placed,
    );
  return { folder, placement, place, placed };
}
