import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareNode, compare, isInstalled, skip, weft } from "./measure.mjs";
import { measureTree } from "./process-tree.mjs";

const ONE_JOB = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  baseCommand: ["echo", "hi"],
  inputs: [],
  stdout: "o",
  outputs: { o: "stdout" },
};

/** Measures the time to start and end, with no job and with one. */
export async function benchStart(folder) {
  const document = join(folder, "one.cwl");
  writeFileSync(document, JSON.stringify(ONE_JOB));
  const outdir = join(folder, "one");
  await compare(
    "start-up, weft --version / node -e 0",
    () => measureTree([...weft(), "--version"]),
    () => measureTree([bareNode(), "-e", "0"]),
  );
  const oneJob = () => measureTree([...weft(), "run", "--quiet", "--outdir", outdir, document]);
  await compare("one job from a cold start, weft run / node -e 0", oneJob, () => measureTree([bareNode(), "-e", "0"]));
  const name = "one job from a cold start, weft run / cwltool";
  if (!isInstalled("cwltool")) return skip(name, "cwltool");
  await compare(name, oneJob, () => measureTree(["cwltool", "--quiet", "--outdir", outdir, document]));
}
