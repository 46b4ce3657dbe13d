import type { JobPlan } from "@weft/cwl/model/job-plan.ts";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { openTrustedFolder } from "../../files/beneath/open-folder.ts";
import { runNow } from "../../files/beneath/steps.ts";

/**
 * Prepares the output folder for the stream files that starting a job creates. Their paths pass through real folders only,
 * never through a link. Removes a file that came with a copied folder, because it is the job's own copy. No process of the
 * job runs yet, so a check made here remains valid. `isEmpty`: nothing was staged.
 */
export function makeWayForStreams(
  outdir: string,
  { stdout, stderr }: Pick<JobPlan, "stdout" | "stderr">,
  isEmpty: boolean,
): void {
  for (const [stream, name] of Object.entries({ stdout, stderr }))
    // In an empty folder, nothing can block a plain name.
    if (name !== undefined && !(isEmpty && !name.includes("/"))) makeWay(outdir, name, stream);
}

function makeWay(outdir: string, name: string, stream: string): void {
  const above = name.split("/");
  const last = above.pop() ?? "";
  let inner = runNow(openTrustedFolder(outdir));
  try {
    for (const part of above) {
      const outer = inner;
      if (runNow(outer.lstat(part))?.isDirectory() !== true)
        refuse(stream, name, `\`${part}\` in its path is a link or file, not a folder`);
      inner = runNow(outer.folder(part));
      outer.close();
    }
    const found = runNow(inner.lstat(last));
    if (found?.isDirectory() === true) refuse(stream, name, "a staged folder has this name");
    if (found !== undefined) runNow(inner.removeFile(last));
  } finally {
    inner.close();
  }
}

function refuse(stream: string, name: string, why: string): never {
  throw new CwlFailure("STAGE_IN", `\`${stream}\` cannot be written to \`${name}\`: ${why}`, {
    place: stream,
    hint: `give \`${stream}\` another name`,
  });
}
