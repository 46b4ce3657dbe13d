import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compare, isInstalled, measure, PARALLEL, perPiece, skip, WEFT } from "./measure.mjs";
import { scatterNetwork } from "./scatter-network.mjs";

/** A scatter of trivial jobs: what one more job costs, and the whole of 200 and of 1,000. */
export async function benchJobs(folder) {
  const document = join(folder, "scatter.cwl");
  writeFileSync(document, JSON.stringify(scatterNetwork()));
  const weft = (count, ...more) => measure([...WEFT, "run", "--quiet", ...more, ...runArgs(folder, document, count)]);
  const xargs = (count) => measure(xargsOf(folder, count));
  const parallel = `${PARALLEL} at a time`;
  for (const count of [200, 1000]) {
    await compare(
      `${count} trivial jobs, ${parallel}, weft run / xargs`,
      () => weft(count),
      () => xargs(count),
    );
  }
  await compare(
    `one more trivial job, ${parallel}, weft run / xargs`,
    () => perPiece(weft(200), weft(1000), 800),
    () => perPiece(xargs(200), xargs(1000), 800),
  );
  await compareSandbox(weft, parallel);
  const name = `200 trivial jobs, ${parallel}, weft run / cwltool --parallel`;
  if (!isInstalled("cwltool")) return skip(name, "cwltool");
  const [outdir, ...rest] = runArgs(folder, document, 200).slice(3);
  await compare(
    name,
    () => weft(200),
    () => measure(["cwltool", "--quiet", "--parallel", "--outdir", outdir, ...rest]),
    3,
  );
}

/** What closing a job in costs: of the whole job, and of that alone by the difference. */
async function compareSandbox(weft, parallel) {
  const name = `one more trivial job, ${parallel}, weft run --sandbox required / none`;
  if (!sandboxWorks(weft)) return skip(name, "a bubblewrap that works here");
  const one = (how) => perPiece(weft(50, "--sandbox", how), weft(250, "--sandbox", how), 200);
  await compare(
    name,
    () => one("required"),
    () => one("none"),
  );
}

function sandboxWorks(weft) {
  try {
    weft(1, "--sandbox", "required");
    return true;
  } catch {
    return false;
  }
}

function runArgs(folder, document, count) {
  const inputs = join(folder, `${count}.json`);
  writeFileSync(inputs, JSON.stringify({ numbers: Array.from({ length: count }, (_, index) => index) }));
  return ["--jobs", String(PARALLEL), "--outdir", join(folder, "jobs"), document, inputs];
}

/** The same commands with their output in files. */
function xargsOf(folder, count) {
  const target = join(folder, "xargs");
  return ["sh", "-c", `seq ${count} | xargs -P ${PARALLEL} -n 1 sh -c 'echo "$0" > ${target}-$0.txt'`];
}
