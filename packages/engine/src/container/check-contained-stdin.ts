import { realpath } from "node:fs/promises";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { Launch, Mount } from "../executor/executor.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { isBelow } from "../files/is-below.ts";

/**
 * Before the start, the wrapper opens a container's standard input on this machine, where links can lead to other
 * files than inside the container. Rejects a file whose real path is outside the container's mounts. A backend that
 * runs containers itself opens the file inside.
 */
export async function checkContainedStdin(
  { stdin, task }: Pick<Launch, "stdin" | "task">,
  mounts: readonly Mount[],
): Promise<void> {
  if (stdin === "/dev/null" || task !== undefined) return;
  const real = await realpath(stdin).catch(undefinedIfMissing);
  for (const { source } of real === undefined ? [] : mounts) {
    const mounted = await realpath(source).catch(undefinedIfMissing);
    if (mounted !== undefined && isBelow(real ?? "", mounted)) return;
  }
  throw new CwlFailure("STAGE_IN", "`stdin` names a file that does not exist or that the container cannot see", {
    place: "stdin",
    hint: "set `stdin` to an input or to a file in the output directory",
  });
}
