import type { Job } from "@weft/shared/records/job-record.ts";
import { AnsiText } from "./ansi-text.tsx";

/** What a job wrote to standard error last; nothing where it wrote nothing. */
export function StderrTail({ job }: { readonly job: Job }) {
  const text = job.stderr_tail?.trim() ?? "";
  if (text === "") return null;
  return (
    <section className="mt-3">
      <h3 className="mb-1">Last lines of stderr</h3>
      <pre
        tabIndex={0}
        role="region"
        aria-label="Standard error"
        className="code max-h-72 overflow-auto rounded-lg border border-line bg-sunken p-3"
      >
        <AnsiText text={text} />
      </pre>
    </section>
  );
}
