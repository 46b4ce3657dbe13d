import { hash } from "node:crypto";
import type { QueriedSample } from "@weft/shared/records/dataset-record.ts";
import type { SampleVerdict } from "@weft/shared/records/automation-names.ts";

/** The identity of a sample: name, values, sizes and times of its files, and the version of the network. */
export function sampleKey({ name, columns, bytes, modified_at: time }: QueriedSample, digest: string): string {
  return hash("sha256", JSON.stringify([digest, name, columns, bytes ?? null, time ?? null]), "base64url");
}

/** When each key was first seen, by a monotonic clock. After a restart, samples settle again. */
export type Sightings = Map<string, number>;

export interface Judged {
  readonly sample: QueriedSample;
  readonly key: string;
  readonly verdict: SampleVerdict;
}

export interface Look {
  readonly samples: readonly QueriedSample[];
  /** Digest of the network. */
  readonly digest: string;
  readonly settleMs: number;
  /** The time on a monotonic clock. */
  readonly nowMs: number;
  readonly sightings: Sightings;
  readonly isStarted: (key: string) => boolean;
}

/**
 * Judges each sample. Its files have settled once two checks, `settleMs` apart, found the same sizes and times, because
 * the clocks of file systems are not trusted. Forgets samples that are gone.
 */
export function judgeSamples({ samples, digest, settleMs, nowMs, sightings, isStarted }: Look): readonly Judged[] {
  const judged = samples.map((sample): Judged => {
    const key = sampleKey(sample, digest);
    if (isStarted(key)) return { sample, key, verdict: "started" };
    const firstMs = sightings.get(key) ?? nowMs;
    sightings.set(key, firstMs);
    return { sample, key, verdict: nowMs - firstMs >= settleMs ? "start" : "settling" };
  });
  const open = new Set(judged.filter(({ verdict }) => verdict !== "started").map(({ key }) => key));
  for (const key of sightings.keys()) if (!open.has(key)) sightings.delete(key);
  return judged;
}
