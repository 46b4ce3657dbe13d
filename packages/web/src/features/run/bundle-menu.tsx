import type { Job } from "@weft/shared/records/job-record.ts";
import { ownUrl, withQuery } from "../../api/base-path.ts";
import { Icon } from "../../ui/icon.tsx";

/** Downloads a job as a zip in two variants: with data for your own use, or without data to share. */
export function BundleMenu({ job }: { readonly job: Pick<Job, "url"> }) {
  const url = `${ownUrl(job.url)}/bundle`;
  return (
    <details className="group relative">
      <summary className="btn cursor-pointer list-none">
        <Icon name="download" className="size-3.5" /> Debug bundle
        <Icon name="chevronDown" className="size-3.5" />
      </summary>
      <ul className="card mt-1 w-80 max-w-full space-y-2 p-3 shadow-lg">
        <li>
          <a className="link font-medium" href={withQuery(url, "data", "true")} download>
            With data
          </a>
          <p className="text-soft">Inputs, logs and run.sh, which reruns the job. Contains your data.</p>
        </li>
        <li>
          <a className="link font-medium" href={withQuery(url, "data", "false")} download>
            Safe to share
          </a>
          <p className="text-soft">Tool, exit code, resources and versions. No files, names, paths, values or logs.</p>
        </li>
      </ul>
    </details>
  );
}
