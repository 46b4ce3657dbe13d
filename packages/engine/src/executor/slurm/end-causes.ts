import type { BackendCause } from "../executor.ts";
import type { EndedTask } from "./queue-lines.ts";
import { FOLDER_NOT_FOUND } from "./sbatch-request.ts";

type Explained = Pick<BackendCause, "code" | "message" | "hint">;

const NODE_FAILED: Explained = {
  code: "NODE_FAIL",
  message: "the node that ran the job failed",
  hint: "run again; if it is always the same node, tell the administrator of the cluster",
};

const TIME_OVER: Explained = {
  code: "TIME_LIMIT",
  message: "Slurm ended the job because it exceeded its time limit",
  hint: "raise ToolTimeLimit in the tool; if it has none, the partition's limit applies: set --time in the options of `slurm`",
};

const MEMORY_HINT = "raise ramMin in the tool, or let the run retry with more memory (on_out_of_memory)";

/** States of jobs that Slurm ended by itself or because a user or administrator canceled them. */
const ENDED_BY_SLURM: Readonly<Record<string, Explained>> = {
  TIMEOUT: TIME_OVER,
  DEADLINE: TIME_OVER,
  OUT_OF_MEMORY: {
    code: "OUT_OF_MEMORY",
    message: "the job used more memory than Slurm had reserved for it",
    hint: MEMORY_HINT,
  },
  NODE_FAIL: NODE_FAILED,
  BOOT_FAIL: NODE_FAILED,
  PREEMPTED: {
    code: "PREEMPTED",
    message: "Slurm preempted the job in favor of one with a higher priority",
    hint: "run again, or choose a partition or qos whose jobs are not preempted",
  },
  CANCELLED: {
    code: "BACKEND_LOST",
    message: "someone else removed the job from Slurm's queue or canceled it (scancel)",
    hint: "run again; if nobody did this, ask the administrator of the cluster",
  },
  REVOKED: {
    code: "BACKEND_LOST",
    message: "Slurm moved the job to another cluster",
    hint: "federations of clusters are not supported; name one partition of this cluster",
  },
};

/** Why Slurm ended the job; undefined if the program itself ended. */
export function causeOfEnd(end: EndedTask): BackendCause | undefined {
  const explained = ENDED_BY_SLURM[end.state];
  return explained === undefined ? undefined : { ...explained, message: `${explained.message} (${whereText(end)})` };
}

/** The end of a job that ran out of memory, from the kills that the node has counted. */
export function outOfMemory(kills: number, record: string): BackendCause {
  const node = /^slurm \S+ (\S+)/.exec(record)?.[1];
  const which = kills === 1 ? "a process" : `${kills} processes`;
  return {
    code: "OUT_OF_MEMORY",
    message: `the kernel of ${node ?? "the node"} killed ${which} of the job for lack of memory: it used more than Slurm had reserved for it`,
    hint: MEMORY_HINT,
  };
}

/** The reason why a job has left no record of its end. `end`: Slurm's report, if there is one. */
export function causeOfLoss(end: EndedTask | undefined): BackendCause {
  if (end === undefined) {
    return {
      code: "BACKEND_LOST",
      message: "Slurm no longer knows the job, and there is no record of its end",
      hint: "Slurm may have lost its state, or the job was removed; run again",
    };
  }
  if (end.exitCode === FOLDER_NOT_FOUND) {
    return {
      code: "BACKEND_LOST",
      message: `the node did not find the job's folder (${whereText(end)})`,
      hint: "all nodes must see the folder given by --shared under the same path",
    };
  }
  return (
    causeOfEnd(end) ?? {
      code: "BACKEND_LOST",
      message: `the job ended without recording its exit (${whereText(end)})`,
      hint: "its wrapper was killed, or the node cannot write to the shared folder; run again",
    }
  );
}

function whereText({ state, node }: EndedTask): string {
  return node === "" ? state : `${state}, ${node}`;
}

/** Explanations of Slurm's reasons for a waiting job. */
const WAITS: Readonly<Record<string, string>> = {
  Resources: "it waits for free nodes",
  Priority: "jobs with a higher priority go first",
  Dependency: "it depends on another job",
  ReqNodeNotAvail: "the nodes that it requests are down or reserved",
  PartitionDown: "the partition is down",
  PartitionTimeLimit: "it requests more time than the partition allows",
  PartitionNodeLimit: "it requests more than the partition allows",
  PartitionConfig: "no node of the partition has what it requests: it may wait forever",
  BadConstraints: "no node has what it requests: it may wait forever",
  DependencyNeverSatisfied: "a job that it depends on has failed: it will wait forever",
  InvalidAccount: "its account does not exist",
  InvalidQOS: "its qos does not exist",
  NodeDown: "a node that it needs is down",
  Reservation: "it waits for its reservation",
  Prolog: "its node is being prepared",
  JobArrayTaskLimit: "the maximum number of tasks of its array is running",
  JobHeldUser: "it is held (release it with scontrol release)",
  JobHeldAdmin: "the administrator of the cluster holds it",
  BeginTime: "its start is set to a later time",
  Licenses: "it waits for a license",
};

/** Subject of the sentence. */
export interface WaitingTask {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
  readonly isPacked: boolean;
  /** The running time; undefined if the job is not running. */
  readonly runningMs?: number | undefined;
}

/** The maximum time for a node to start a job; Slurm itself gives up sooner. */
export const SUSPECT_MS = 120_000;

/** One sentence about a job that is with Slurm and does not run yet. */
export function waitingText({ id, state, reason, isPacked, runningMs = 0 }: WaitingTask): string {
  if (state === "RUNNING" && isPacked) return `Slurm job ${id} runs other jobs of Weft first`;
  if (state === "RUNNING" && runningMs > SUSPECT_MS)
    return `Slurm job ${id} has not begun, although Slurm has listed it as running for ${Math.floor(runningMs / 60_000)} minutes: its node may not see the shared folder, or Slurm has lost it; \`scancel ${id}\` cancels it`;
  if (state === "RUNNING") return `Slurm job ${id} has a node and is about to begin`;
  if (state !== "PENDING") return `Slurm job ${id} is ${state}`;
  if (reason === "None" || reason === "") return `Slurm job ${id} waits for its turn`;
  // `ReqNodeNotAvail, UnavailableNodes:n1`.
  const meaning =
    WAITS[reason.split(",")[0] ?? ""] ??
    (IS_LIMIT.test(reason) ? "a limit of the account or qos is reached" : undefined);
  return `Slurm job ${id} waits: ${reason}${meaning === undefined ? "" : ` (${meaning})`}`;
}

const IS_LIMIT = /^(?:QOS|Assoc)|Limit$/;
