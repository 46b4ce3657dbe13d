import { fileURLToPath } from "node:url";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import { bytesOfDataUrl } from "../files/remote/data-url.ts";
import { isHttp, isRemote, redactUrl } from "../files/remote/remote-url.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { FoundInput } from "./bundled-inputs.ts";

/** Where an input of a run is on this machine. Of files from the web only what was kept: nothing is fetched. */
export async function findInput(
  source: string,
  pinned: readonly PinnedFile[],
  { downloads }: Pick<RunServices, "downloads">,
): Promise<FoundInput | undefined> {
  if (!isRemote(source)) return { path: fileURLToPath(source) };
  if (!isHttp(source)) {
    const bytes = bytesOfDataUrl(source);
    return bytes === undefined ? undefined : { bytes };
  }
  const pin = pinned.find(({ url }) => url === redactUrl(source));
  if (pin === undefined) return undefined;
  const kept = await downloads.find({ sha1: pin.checksum, sha256: pin.sha256, sizeBytes: pin.size });
  return kept === undefined ? undefined : { path: kept.path };
}
