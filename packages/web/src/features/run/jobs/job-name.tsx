/** Characters at the end of a name that are never cut. */
const END = 14;

/**
 * A name of a job in a flex container; a long one is cut in its middle, because jobs of a step differ at the end.
 * Screen readers, which would read its two parts as two words, get the name from the caller.
 */
export function JobName({ jobId }: { readonly jobId: string }) {
  return (
    <>
      <span className="min-w-0 truncate">{jobId.slice(0, -END)}</span>
      <span className="shrink-0">{jobId.slice(-END)}</span>
    </>
  );
}
