import { judgeToolTest, type TestOutcome } from "@weft/language/tool-tests/judge-tool-test.ts";
import type { OutputFiles } from "@weft/language/tool-tests/judge-content.ts";
import type { ToolTest } from "@weft/language/tool-tests/tool-test.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RunTests, TestList, TestRecord } from "@weft/shared/records/test-record.ts";
import type { CreateRun, DraftOfRun } from "@weft/shared/records/run-record.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogEntry, RunnableEntry } from "../catalog/catalog-entry.ts";
import type { CatalogTest } from "../catalog/catalog-test.ts";
import { portableValue } from "../catalog/present-parameters.ts";
import { textDigest } from "../files/hash-file.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { Journal } from "../journal/journal.ts";
import { draftVersion, readTests, type TestRow } from "./tests-table.ts";
import type { Caller } from "../port/caller.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import type { Agent, CatalogName } from "../port/engine.ts";
import type { Log } from "../log.ts";
import { nullableTime, timeText } from "../present/present-time.ts";
import type { TestOfRun } from "../runs/begin/start-run.ts";
import type { DocumentRuns } from "../runs/run-service.ts";
import { keptText } from "../values/record-values.ts";
import { toResult, watchTests } from "./test-watch.ts";

/** The dependencies of testing. */
export interface TestServices {
  readonly documents: Pick<DocumentRuns, "resolve" | "start">;
  readonly journal: Journal;
  readonly uris: PortableUris;
  readonly outputFiles: OutputFiles;
}

export interface TestServiceOptions extends TestServices {
  readonly catalog: Catalog;
  readonly log: Log;
  readonly begin: (agent: Agent) => void;
}

/** A version of the catalog, or a draft. */
export interface Tested {
  readonly entry: CatalogEntry & RunnableEntry;
  /** The draft that the entry represents. */
  readonly draft?: DraftOfRun;
}

/** Lists and runs the tests of tools and networks in the catalog, and judges their runs. */
export function openTests(options: TestServiceOptions): RouteMethods {
  const { catalog, begin } = options;
  begin(watchTests(options));
  const list = (caller: Caller, { kind, id, version }: CatalogName) => ({
    tests: presentTests(caller, { entry: catalog.find(kind, id, version) }, options),
  });
  const run = async (caller: Caller, { kind, id, version }: CatalogName, { tests: names }: RunTests) => {
    const entry = catalog.findRunnable(kind, id, version);
    return runTests(caller, { tested: { entry }, names }, options);
  };
  return {
    "GET /api/tools/{id}/{version}/tests": ({ caller, params }) => list(caller, { kind: "tool", ...params }),
    "POST /api/tools/{id}/{version}/tests": ({ caller, params, body }) =>
      run(caller, { kind: "tool", ...params }, body),
    "GET /api/networks/{id}/tests": ({ caller, params: { id }, query: { version } }) =>
      list(caller, { kind: "network", id, version }),
    "POST /api/networks/{id}/tests": ({ caller, params: { id }, query: { version }, body }) =>
      run(caller, { kind: "network", id, version }, body),
  };
}

interface TestRequest {
  readonly tested: Tested;
  /** The names of tests; undefined for all tests without errors. */
  readonly names: readonly string[] | undefined;
}

/** Starts tests of a tool or network. */
export async function runTests(
  caller: Caller,
  { tested, names }: TestRequest,
  services: TestServices,
): Promise<TestList> {
  for (const test of chosen(tested.entry, names)) await startTest(caller, { tested, test }, services);
  return { tests: presentTests(caller, tested, services) };
}

/** Leaves out tests with errors, but refuses them if they are named. */
function chosen(entry: CatalogEntry, names: readonly string[] | undefined): readonly RunnableTest[] {
  if (names === undefined) return entry.tests.filter(isRunnableTest);
  return [...new Set(names)].map((name, index) => {
    const test = entry.tests.find((one) => one.name === name);
    if (test !== undefined && isRunnableTest(test)) return test;
    const detail = test === undefined ? `There is no test "${name}".` : `The test "${name}" has errors.`;
    throw new Refusal("invalid-body", detail, {
      errors: [{ pointer: `/tests/${index}`, code: "unknown-test", detail }],
    });
  });
}

interface RunnableTest extends CatalogTest {
  readonly test: ToolTest;
}

function isRunnableTest(test: CatalogTest): test is RunnableTest {
  return test.test !== undefined;
}

interface StartedTest {
  readonly tested: Tested;
  readonly test: RunnableTest;
}

async function startTest(caller: Caller, { tested, test }: StartedTest, services: TestServices): Promise<void> {
  const { documents, uris } = services;
  const { entry, draft } = tested;
  const values = Object.entries(test.test.inputs).map(([name, value]) => [name, portableValue(value, uris)]);
  const inputs = Object.fromEntries(values) as NonNullable<CreateRun["inputs"]>; // in the form in which an example would be sent
  const recorded = { name: test.name, text: keptText(test.text), uri: uris.toPortable(test.uri) };
  try {
    await documents.start(caller, {
      resolve: () => documents.resolve(caller, entry, { inputs }),
      name: `Test ${test.name} of ${entry.place.id}`.slice(0, 200),
      options: { cache: "off" },
      test: recorded,
      ...(draft === undefined ? {} : { cause: { draft } }),
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "invalid-inputs") throw error;
    await recordRefused(caller, { tested, test, recorded, message: error.message }, services);
  }
}

interface RefusedTest extends StartedTest {
  readonly recorded: TestOfRun;
  readonly message: string;
}

/** A test may expect that its inputs are refused. */
async function recordRefused(
  { principal: actor }: Caller,
  { tested: { entry, draft }, test, recorded, message }: RefusedTest,
  { journal, outputFiles }: TestServices,
): Promise<void> {
  const outcome: TestOutcome = { outputs: undefined, exitCode: null, message, maxRssBytes: null, runningMs: 0 };
  const { kind, id, version } = entry.place;
  const data = {
    kind,
    process_id: id,
    process_version: version,
    process_digest: entry.digest,
    test: { ...recorded, text: recorded.text.digest },
    ...(draft === undefined ? {} : { draft }),
    result: toResult(await judgeToolTest(test.test, outcome, outputFiles)),
  };
  const blobs = [{ digest: recorded.text.digest, text: test.text }];
  await journal.append([{ type: "test.refused", run_id: null, actor, data, blobs }]);
}

interface PresentedTests extends Pick<Tested, "draft"> {
  readonly entry: TestedEntry;
}

type TestedEntry = Pick<CatalogEntry, "place" | "digest" | "tests">;

/** The tests of a version or a draft with their last results. */
export function presentTests(
  caller: Caller,
  { entry, draft }: PresentedTests,
  { journal, uris }: Pick<TestServices, "journal" | "uris">,
): TestRecord[] {
  const { kind, id, version } = entry.place;
  const last = readTests(journal.read).lastTests(kind, id, draft === undefined ? version : draftVersion(draft));
  return entry.tests.map((test) => {
    const row = last.get(test.name);
    const doc = test.test?.doc;
    return {
      name: test.name,
      ...(doc === undefined ? {} : { doc }),
      issues: test.issues.filter(({ severity }) => severity === "error"),
      last: row === undefined ? null : presentLast(caller, { entry, test, row }, { journal, uris }),
    };
  });
}

function presentLast(
  caller: Caller,
  { entry, test, row }: { readonly entry: TestedEntry; readonly test: CatalogTest; readonly row: TestRow },
  { journal: { read }, uris }: Pick<TestServices, "journal" | "uris">,
): NonNullable<TestRecord["last"]> {
  const { runId, result, startedMs, endedMs } = row;
  const run = runId === null ? undefined : read.run(runId, visibleOwner(caller));
  return {
    state: result === null ? "running" : result.passed ? "passed" : "failed",
    unmet: result?.unmet ?? [],
    started_at: timeText(startedMs),
    ended_at: nullableTime(endedMs),
    run: run === undefined ? null : { run_id: run.runId, url: caller.links.run(run.runId) },
    // The name of a draft's folder depends on its files, so different files have a different address.
    is_current:
      row.text === textDigest(test.text) && row.processDigest === entry.digest && row.uri === uris.toPortable(test.uri),
  };
}
