/**
 * The source of documents: the only side effect of loading. `read` takes an absolute URI without fragment and returns the
 * text; undefined if the document does not exist or may not be read. Rejects with NotUtf8.
 */
export interface DocumentReader {
  read(uri: string): Promise<string | undefined>;
}

/** A text that was read while loading. */
export interface LoadedSource {
  /** Absolute, without fragment. */
  readonly uri: string;
  readonly text: string;
}
