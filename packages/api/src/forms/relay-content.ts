import { PassThrough } from "node:stream";
import type { Readable } from "node:stream";

/**
 * Passes the content of a source to `store`, which destroys what it refuses. A second stream around the source keeps
 * the connection open, and keeps a refusal from looking like a fault of the source.
 */
export function relayContent<Stored>(source: Readable, store: (content: Readable) => Promise<Stored>): Promise<Stored> {
  const content = new PassThrough();
  // An error without a listener would end the server, and `store` may not listen yet when the source breaks off.
  content.on("error", () => {});
  source.once("error", (error) => content.destroy(error));
  source.pipe(content);
  return store(content).finally(() => source.unpipe(content).resume());
}
