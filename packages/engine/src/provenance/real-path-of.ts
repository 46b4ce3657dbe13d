import type { AllowedRoots } from "../access/allowed-roots.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { runLater } from "../files/beneath/steps.ts";

/** Links within an output may lead anywhere: their targets must be within reach too. */
export async function realPathOf(
  uri: string,
  { roots, reach }: { readonly roots: AllowedRoots; readonly reach: Reach },
): Promise<string | undefined> {
  const found = await roots.resolve(uri, (path) => runLater(reach.realPath(path)));
  return found.kind === "found" ? found.realPath : undefined;
}
