import type { DownloadStore } from "../../files/remote/download-store.ts";
import type { JobServices } from "../../jobs/job-services.ts";
import type { PlacedOutputs } from "../../sink/place-run.ts";
import type { SinkFolders } from "../../sink/folders/sink-folders.ts";

/**
 * The services that a run uses. Only the modules that create them have all of them; other modules declare the ones that
 * they need.
 */
export interface RunServices extends JobServices {
  /** The version of Weft. */
  readonly version: string;
  /** Downloaded files; a run reads them through its own files (see run-fetch.ts). */
  readonly downloads: DownloadStore;
  /** Output destinations. */
  readonly sinks: SinkFolders;
  /** Delays between the attempts of a job; the last one applies to all further attempts. */
  readonly retryDelaysMs: readonly number[];
  /** Called when outputs of a run have been copied, before the end of the run is recorded. Never rejects. */
  readonly onPlaced: (placed: PlacedOutputs) => Promise<void>;
}
