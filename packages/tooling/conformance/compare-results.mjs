/** The message of `weft run` about a job that starts in a container of this engine. */
const STARTED_IN = / started in podman \((\S+)\)$/gm;
/** The message of `weft run` about a job whose image is not available. */
const NO_IMAGE = /the container image (\S+) is not available/;

/**
 * Compares the results of the suite's driver on this machine and elsewhere, case by case. Returns the lines of a table,
 * the cases that were judged elsewhere (not those whose image is unavailable), and how many of them end differently and
 * do not pass.
 */
export function compareResults(here, there, backend) {
  const local = new Map(here.map((test) => [test.id, test]));
  const pairs = there.map((test) => ({ test, local: local.get(test.id), ...containersOf(test) }));
  const unjudged = pairs.filter(({ missing }) => missing !== undefined);
  const judged = pairs.filter((pair) => !unjudged.includes(pair));
  const differing = judged.filter(({ test, local: before }) => test.verdict !== before?.verdict);
  const worse = differing.filter(({ test }) => test.verdict !== "pass");
  const contained = judged.filter(({ images }) => images.length > 0);
  const lines = [
    row("", ["passed", "failed", "not judged"]),
    row("local", [countOf(here, true), countOf(here, false), 0]),
    row(backend, [countOf(testsOf(judged), true), countOf(testsOf(judged), false), unjudged.length]),
    ...section(`${contained.length} cases ran in containers`, contained, ({ images }) => images.join(", ")),
    ...section(`${unjudged.length} cases were not judged, for lack of an image`, unjudged, ({ missing }) => missing),
    ...section(`${differing.length} cases end differently than locally`, differing, ({ test, local: before }) =>
      `${before?.verdict ?? "not run"} → ${test.verdict} ${test.reason}`.trimEnd(),
    ),
  ];
  return { lines, worse: worse.length, judged: testsOf(judged) };
}

function containersOf({ stderr, verdict }) {
  const images = [...new Set([...stderr.matchAll(STARTED_IN)].map(([, image]) => image))];
  return { images, missing: verdict === "pass" ? undefined : NO_IMAGE.exec(stderr)?.[1] };
}

function testsOf(pairs) {
  return pairs.map(({ test }) => test);
}

function countOf(tests, passes) {
  return tests.filter(({ verdict }) => (verdict === "pass") === passes).length;
}

function row(name, cells) {
  return name.padEnd(10) + cells.map((cell) => String(cell).padStart(12)).join("");
}

/** No lines if there are no pairs. */
function section(title, pairs, describe) {
  return pairs.length === 0 ? [] : ["", `${title}:`, ...pairs.map((pair) => `  ${pair.test.id}: ${describe(pair)}`)];
}
