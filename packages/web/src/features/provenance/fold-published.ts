import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";

/** A file in all its places: an output of the run, then that of the job which wrote it. */
export type FilePlaces = readonly [FileOccurrence, ...FileOccurrence[]];

/** Joins each published output with the file of its job, if both are listed: to users, they are one file. */
export function foldPublished(files: readonly FileOccurrence[]): readonly FilePlaces[] {
  const written = files.filter(({ job_id: jobId, direction }) => jobId !== null && direction === "output");
  const left = new Set(written);
  const folded = files.map((file): FilePlaces => {
    const own = isOutputOfRun(file) ? written.find((other) => left.has(other) && isSource(other, file)) : undefined;
    if (own !== undefined) left.delete(own);
    return own === undefined ? [file] : [file, own];
  });
  return folded.filter(([file]) => left.has(file) || !written.includes(file));
}

function isOutputOfRun({ job_id: jobId, direction }: FileOccurrence): boolean {
  return jobId === null && direction === "output";
}

/** Without a checksum, as for folders, nothing shows that the contents are equal. */
function isSource(written: FileOccurrence, output: FileOccurrence): boolean {
  const isSame = written.checksum !== null && written.checksum === output.checksum && written.name === output.name;
  return isSame && written.run_id === output.run_id && written.job_id === output.source_job_id;
}
