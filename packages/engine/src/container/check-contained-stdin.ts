import { realpath } from "node:fs/promises";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { Launch } from "../executor/executor.ts";
import { absent } from "../files/absent.ts";
import { isBelow } from "../files/is-below.ts";
import type { Mount } from "./container-engine.ts";

/**
 * The wrapper opens the standard input of a container on this machine, where links lead to other places than inside.
 * Rejects a file that really lies in nothing that the container has mounted. A backend with containers of its own opens
 * the file inside.
 */
export async function checkContainedStdin(
  { stdin, task }: Pick<Launch, "stdin" | "task">,
  mounts: readonly Mount[],
): Promise<void> {
  if (stdin === "/dev/null" || task !== undefined) return;
  const real = await realpath(stdin).catch(absent);
  for (const { source } of real === undefined ? [] : mounts) {
    const mounted = await realpath(source).catch(absent);
    if (mounted !== undefined && isBelow(real ?? "", mounted)) return;
  }
  throw new CwlFailure("STAGE_IN", "`stdin` names a file that does not exist, or that the container cannot see", {
    place: "stdin",
    hint: "set `stdin` to an input or to a file in the output folder",
  });
}
