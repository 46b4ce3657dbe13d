import type { KeyParts } from "@weft/shared/events/job-events.ts";

export type Digests = Readonly<Record<string, string>>;

export interface JobKey {
  /** SHA-256 of the parts: equal for jobs that must have equal results. */
  readonly key: string;
  readonly parts: KeyParts;
  /** `sha1$…` of every File of the inputs, by location. */
  readonly checksums: ReadonlyMap<string, string>;
}
