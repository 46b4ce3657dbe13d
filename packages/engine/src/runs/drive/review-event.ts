import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { NewEvent } from "../../journal/journal-event.ts";
import type { LogReader } from "../../journal/log-reader.ts";

/** Media types that the gallery shows as pictures. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|bmp|avif|nii|nii\.gz|pdf)$/i;
const MAX_COUNTED = 100_000;

/** True for an element of a list: a single picture is about the run as a whole. */
export function isPictureOfSample({ name, place = "" }: RecordedFile): boolean {
  return PICTURE.test(name) && /^\[\d+\]/.test(place);
}

/** Asks for a review of a run that succeeded and has a picture of a sample. Nobody can have reviewed them yet. */
export function reviewEvent(
  runId: string,
  picture: RecordedFile | undefined,
  read: Pick<LogReader, "samples">,
): NewEvent | undefined {
  if (picture === undefined) return undefined;
  const samples = read.samples(runId, MAX_COUNTED).length;
  if (samples === 0) return undefined;
  return { type: "run.review-needed", run_id: runId, actor: "engine", data: { output: picture.port, samples } };
}
