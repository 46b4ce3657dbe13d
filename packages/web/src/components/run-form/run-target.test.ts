import assert from "node:assert/strict";
import { test } from "node:test";
import { inputRecord } from "../../testing/input-record.ts";
import { settingsProblems, START_SETTINGS, type RunSettings } from "./model/run-settings.ts";
import { createRunBody, leftValues, settingsOf, type RunTarget } from "./run-target.ts";

const target: RunTarget = {
  ...{ kind: "network", id: "imaging-cohort", version: null, digest: "d" },
  ...{ inputs: [], outputs: [], steps: [], examples: [] },
};

test("createRunBody omits options that were not chosen", () => {
  const place = "vfs://results/{run_id}/{basename}";
  const cases: [Partial<RunSettings>, object][] = [
    [{}, {}],
    [{ name: " second try " }, { name: "second try" }],
    [
      { onFailure: "stop_now", maxParallelJobs: "2", priority: "-5", keepIntermediate: "on_failure" },
      { options: { on_failure: "stop_now", max_parallel_jobs: 2, priority: -5, keep_intermediate: "on_failure" } },
    ],
    [{ onOutOfMemory: "4" }, { options: { on_out_of_memory: { multiply: 4 } } }],
    [{ places: { table: ` ${place} `, report: "  " } }, { sink_data: { table: place } }],
    [
      { places: { table: place }, sidecars: true },
      { options: { sidecars: true }, sink_data: { table: place } },
    ],
    [{ sidecars: true }, {}],
    [{ cache: "refresh" }, { options: { cache: "refresh" } }],
  ];
  const content = { values: { n: 1 }, samples: undefined };
  for (const [settings, chosen] of cases)
    assert.deepEqual(createRunBody(target, content, { ...START_SETTINGS, ...settings }), {
      network: "imaging-cohort",
      inputs: { n: 1 },
      ...chosen,
    });
  const tool = { ...target, kind: "tool", id: "smooth", version: "1.0.0" } as const;
  assert.deepEqual(createRunBody(tool, content, START_SETTINGS), {
    tool: "smooth",
    version: "1.0.0",
    inputs: { n: 1 },
  });
});

test("samples of a sheet are sent with their names while the lists are those of the sheet", () => {
  const texts = [{ class: "File", path: "/a" }];
  const samples = { names: ["s1"], lists: { texts } };
  assert.deepEqual(createRunBody(target, { values: { texts, n: 1 }, samples }, START_SETTINGS), {
    network: "imaging-cohort",
    inputs: { texts, n: 1 },
    samples: { texts: ["s1"] },
  });
  assert.deepEqual(createRunBody(target, { values: { texts: [], n: 1 }, samples }, START_SETTINGS), {
    network: "imaging-cohort",
    inputs: { texts: [], n: 1 },
  });
});

test("values of inputs that the document of a draft no longer has are kept and not sent", () => {
  const draft = { ...target, draft: { draftId: "d", revision: 2 } };
  const values = { names: ["a"], level: 3 };
  const inputs = [inputRecord("level", "int")];
  assert.deepEqual(createRunBody({ ...draft, inputs }, { values, samples: undefined }, START_SETTINGS), {
    inputs: { level: 3 },
  });
  assert.deepEqual(leftValues({ ...draft, inputs }, values), ["names"]);
  assert.deepEqual(leftValues({ ...target, inputs }, values), [], "a typing error in the name of an input is refused");
});

test("a number that cannot be read is a problem, and not left out", () => {
  assert.deepEqual(settingsProblems({ ...START_SETTINGS, maxParallelJobs: " 2 " }), []);
  assert.deepEqual(settingsProblems({ ...START_SETTINGS, maxParallelJobs: "two", priority: "-" }), [
    'Max parallel jobs: "two" is not a number',
    'Priority: "-" is not a number',
  ]);
});

test("settingsOf returns the settings of an earlier run", () => {
  const asked = {
    options: {
      ...({ on_failure: "finish_running", keep_intermediate: "never", cache: "off" } as const),
      ...{ max_parallel_jobs: 2, retries: 0, priority: -5, on_out_of_memory: { multiply: 4 } },
    },
    sink_data: { table: "vfs://results/{basename}" },
  } as const;
  const settings = settingsOf(asked);
  assert.equal(settings.name, "");
  const { options, sink_data } = createRunBody(target, { values: {}, samples: undefined }, settings);
  assert.deepEqual({ options, sink_data }, asked);
  assert.deepEqual(settingsOf({ options: {} }), START_SETTINGS);
});
