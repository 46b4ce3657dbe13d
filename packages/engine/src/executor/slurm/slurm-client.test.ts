import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProgramOptions } from "../run-program.ts";
import { ONE_CORE } from "../testing/launch.ts";
import { scriptedProgram } from "../../testing/scripted-program.ts";
import { SlurmClient } from "./slurm-client.ts";
import { DEFAULT_SLURM } from "./slurm-settings.ts";

const BATCH = { name: "weft-r-1", tasks: [["/a"]], size: ONE_CORE };
/** A program that succeeds, and says nothing. */
function silent() {
  const inputs: ProgramOptions[] = [];
  const run = async (_program: string, _args: readonly string[], options: ProgramOptions) => {
    inputs.push(options);
    return { code: 0, stdout: "", stderr: "" };
  };
  return { inputs, run };
}
const on = (answers: Parameters<typeof scriptedProgram>[0]) => {
  const program = scriptedProgram(answers);
  return { client: new SlurmClient(DEFAULT_SLURM, program.run, "1000"), calls: program.calls };
};

describe("a submission", () => {
  it("names the launcher, which is copied once, and is refused if it cannot be copied", async () => {
    const { inputs, run } = silent();
    let copies = 0;
    const client = new SlurmClient(DEFAULT_SLURM, run, "1000", () => `/shared/weft-exec-${++copies}`);
    await client.submit(BATCH);
    await client.submit(BATCH);
    const named = inputs.filter(({ input }) => String(input).includes("launcher=/shared/weft-exec-1-$(uname -m)\n"));
    assert.deepEqual([named.length, copies], [2, 1]);
    const full = new SlurmClient(DEFAULT_SLURM, run, "1000", () => {
      throw new Error("no space left on device");
    });
    assert.match(JSON.stringify(await full.submit(BATCH)), /"refused".*no space left/);
  });

  const failed = (stderr: string, code: number | null = 1) => ({ code, stderr });
  const cases: Readonly<Record<string, readonly [ReturnType<typeof failed>, string, string?]>> = {
    "that sbatch takes is accepted": [failed("", 0), "accepted"],
    "to no such partition is refused": [
      failed(
        "sbatch: error: invalid partition specified: x\nsbatch: error: Batch job submission failed: Invalid name\n",
      ),
      "refused",
      "invalid partition specified: x; Batch job submission failed: Invalid name",
    ],
    "for more memory than any node has is refused": [
      failed("sbatch: error: Memory specification can not be satisfied"),
      "refused",
      "Memory specification can not be satisfied",
    ],
    "with a missing command is refused": [
      failed("no such file or directory: sbatch", null),
      "refused",
      "no such file or directory: sbatch",
    ],
    "to an unreachable controller may have been accepted": [
      failed("sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)"),
      "unknown",
    ],
    "that timed out may have been accepted": [
      failed("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"),
      "unknown",
    ],
    "beyond the jobs that an account may have is tried again": [
      failed("sbatch: error: QOSMaxSubmitJobPerUserLimit"),
      "unknown",
    ],
    "whose command was killed may have been accepted": [failed("", null), "unknown", "sbatch did not answer"],
  };
  for (const [what, [answer, kind, message]] of Object.entries(cases))
    it(what, async () => {
      const submitted = await on({ sbatch: [answer] }).client.submit(BATCH);
      assert.equal(submitted.kind, kind);
      if (message !== undefined) assert.equal("message" in submitted && submitted.message, message);
    });

  const large: Readonly<Record<string, readonly [string, boolean]>> = {
    "with more tasks than an array allows": ["Batch job submission failed: Invalid job array specification", true],
    "with more jobs than may be queued": ["AssocMaxSubmitJobLimit\nsbatch: error: Job violates policy", false],
  };
  for (const [what, [error, isForGood]] of Object.entries(large))
    it(`${what} may be split`, async () => {
      const { client } = on({ sbatch: [failed(`sbatch: error: ${error}`)] });
      const submitted = await client.submit({ ...BATCH, tasks: [["/a"], ["/b"]] });
      assert.deepEqual(submitted.kind === "too-many" && submitted.isForGood, isForGood);
      assert.equal(submitted.kind, "too-many");
    });
});

describe("the queue", () => {
  it("is requested with one command for all jobs of the account", async () => {
    const { client, calls } = on({ squeue: [{ stdout: "1|0|RUNNING|None|n1|weft-r-1\n" }] });
    assert.deepEqual(await client.queue(), [
      { name: "weft-r-1", index: 0, id: "1_0", state: "RUNNING", reason: "None", node: "n1" },
    ]);
    assert.deepEqual(calls, ["squeue --noheader --user=1000 --format=%F|%K|%T|%r|%N|%j"]);
  });

  it("is not an empty queue if it cannot be read", async () => {
    const stderr = "slurm_load_jobs error: Unable to contact slurm controller (connect failure)";
    assert.deepEqual(await on({ squeue: [{ code: 1, stderr }] }).client.queue(), { failure: stderr });
  });
});

describe("the ends of jobs", () => {
  it("come from the accounting database if the queue has forgotten them", async () => {
    const { client } = on({ squeue: [{}], sacct: [{ stdout: "1_0|weft-r-1|TIMEOUT|0:0|n1|\n" }] });
    assert.deepEqual(
      ((await client.ends(["weft-r-1"])) ?? []).map(({ state }) => state),
      ["TIMEOUT"],
    );
  });

  it("are not requested again from a cluster without accounts", async () => {
    const { client, calls } = on({
      squeue: [{}],
      sacct: [{ code: 1, stderr: "Slurm accounting storage is disabled" }],
    });
    await client.ends(["weft-r-1"]);
    await client.ends(["weft-r-1"]);
    assert.equal(calls.filter((call) => call.startsWith("sacct")).length, 1);
    assert.equal(client.hasAccounts, false);
  });
});

it("commands get a small environment, in which lists of tasks are not truncated", async () => {
  const { inputs, run } = silent();
  process.env["SBATCH_PARTITION"] = "elsewhere";
  await new SlurmClient(DEFAULT_SLURM, run, "1000").submit(BATCH);
  delete process.env["SBATCH_PARTITION"];
  const env = inputs[0]?.env ?? {};
  assert.deepEqual([env["SLURM_BITSTR_LEN"], "SBATCH_PARTITION" in env], ["0", false]);
});
