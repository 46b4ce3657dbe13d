import type { PortableUris } from "../files/portable-uri.ts";
import type { Journal } from "./journal.ts";

/** The log, and the form of URLs in it. */
export interface RunLog {
  readonly journal: Journal;
  readonly uris: PortableUris;
}
