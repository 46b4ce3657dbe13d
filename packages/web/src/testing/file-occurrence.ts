import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";

/** An output of a run, as its job wrote it, with some changes. */
export function fileOccurrence(change: Partial<FileOccurrence> = {}): FileOccurrence {
  return {
    ...{ run_id: "r1", run_url: "", run_name: "Cohort", process: "cohort", job_id: "mask-0", step: "mask" },
    ...{ sample_id: null, tool: null, direction: "output", class: "File", port: "mask", place: "", name: "a.nii" },
    ...{ checksum: "sha1$aa", sha256: null, size: 1, time: "2026-11-21T02:02:14.617Z", source_job_id: null },
    ...{ url: "/written", origin: null, read_by_runs: 0, ...change },
  };
}
