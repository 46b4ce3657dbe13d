import type { UploadedFile } from "@weft/shared/records/process-record.ts";
import { sendFile } from "./send-file.ts";
import type { Sending } from "./send-file.ts";

export type Upload = Sending<UploadedFile>;

/** Sends one file into the state folder. `onProgress` gets a fraction from 0 to 1. */
export function uploadFile(file: File, onProgress: (fraction: number) => void): Upload {
  const path = `/api/files?name=${encodeURIComponent(file.name)}`;
  return sendFile({ path, file, mediaType: "application/octet-stream" }, onProgress);
}
