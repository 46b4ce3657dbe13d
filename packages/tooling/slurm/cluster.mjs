// A Slurm cluster of several nodes on this one machine, for tests: a controller, one daemon per node, and munge for their
// signatures, all on loopback and below one folder. Parts of it can be killed and restarted.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { slurmPath } from "./why-no-slurm.mjs";

const READY_WITHIN_MS = 30_000;

/**
 * Starts `nodes` nodes with `cpus` each and keeps all files below `folder`; `conf` is for SLURM_CONF. `cgroups`: control groups
 * confine jobs, as on most clusters (root, version 1); `preempts`: jobs of the partition `first` displace others.
 */
export async function startCluster(folder, { nodes = 4, cpus = 4, cgroups = false, preempts = false } = {}) {
  for (const name of ["munge", "state", "log"]) mkdirSync(join(folder, name), { recursive: true });
  const names = Array.from({ length: nodes }, (_, n) => `n${n + 1}`);
  const ports = await freePorts(nodes + 1);
  const conf = join(folder, "slurm.conf");
  writeFileSync(conf, configuration(folder, { names, ports, cpus, cgroups, preempts }));
  if (cgroups) writeFileSync(join(folder, "cgroup.conf"), CGROUPS);
  const daemons = new Map();
  const env = { ...slurmPath(), SLURM_CONF: conf };
  const start = (name, command, args) => daemons.set(name, spawn(command, args, { stdio: "ignore", env }));
  const startController = () => start("controller", "slurmctld", ["-D", "-f", conf]);
  const startNode = (name) => {
    mkdirSync(join(folder, "spool", name), { recursive: true });
    start(name, "slurmd", ["-D", "-f", conf, "-N", name]);
  };
  const run = (command, ...args) => spawnSync(command, args, { env, encoding: "utf8" });
  start("munge", "munged", mungeArgs(folder));
  startController();
  for (const name of names) startNode(name);
  const cluster = {
    conf,
    names,
    env: { SLURM_CONF: conf },
    startController,
    startNode,
    run,
    /** Kills a daemon like a crash; the jobs of its node continue. */
    kill: (name) => killed(daemons.get(name)),
    /** The folder in which a node keeps the scripts of its jobs. */
    spoolOf: (name) => join(folder, "spool", name),
    /** Lines of the queue, with all arrays expanded. */
    queue: () => queueOf(run),
    /** The nodes that run jobs. */
    busyNodes: () => run("squeue", "--noheader", "--states=RUNNING", "--format=%N").stdout.split("\n").filter(Boolean),
    /**
     * Resumes nodes, as an administrator would: a controller that lost its state drains nodes with unknown jobs.
     */
    resumeNodes: () => run("scontrol", "update", "NodeName=ALL", "State=RESUME"),
    idleNodes: () =>
      run("sinfo", "--noheader", "--Node", "--states=idle", "--partition=main").stdout.split("\n").filter(Boolean)
        .length,
    stop: () => stop({ run, daemons }),
  };
  await until("the nodes are idle", () => cluster.idleNodes() === nodes);
  return cluster;
}

/** Throws if the queue cannot be read, because that does not mean that it is empty. */
function queueOf(run) {
  const { status, stdout, stderr } = run("squeue", "--noheader", "--array");
  if (status !== 0) throw new Error(`squeue ended with ${status}: ${stderr}`);
  return stdout.split("\n").filter(Boolean);
}

async function stop({ run, daemons }) {
  run("scancel", `--user=${userInfo().uid}`, "--signal=KILL", "--full");
  run("scancel", `--user=${userInfo().uid}`);
  await until("the queue is empty", () => run("squeue", "--noheader").stdout.trim() === "").catch(() => {});
  for (const daemon of daemons.values()) await killed(daemon);
}

/** Waits for a condition, and throws with its name if it does not occur. */
export async function until(what, isSo, { withinMs = READY_WITHIN_MS, everyMs = 100 } = {}) {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await pause(everyMs);
  }
}

function killed(daemon) {
  if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
  const gone = new Promise((resolve) => daemon.once("exit", resolve));
  daemon.kill("SIGKILL");
  return gone;
}

function mungeArgs(folder) {
  const of = (name) => join(folder, "munge", name);
  // The cluster's programs require this: only the service may read the key, but every account may use the socket.
  chmodSync(join(folder, "munge"), 0o755);
  writeFileSync(of("key"), randomBytes(128), { mode: 0o600 });
  const files = { "key-file": "key", socket: "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed" };
  return ["--foreground", "--force", ...Object.entries(files).map(([flag, name]) => `--${flag}=${of(name)}`)];
}

/** Opens all ports at the same time, so that they differ. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

const CGROUPS =
  "CgroupPlugin=cgroup/v1\nCgroupAutomount=no\nConstrainRAMSpace=yes\nConstrainCores=no\nConstrainDevices=no\n";

function configuration(folder, { names, ports, cpus, cgroups, preempts }) {
  const [controllerPort, ...nodePorts] = ports;
  const { username } = userInfo();
  const nodes = names.map(
    (name, n) =>
      `NodeName=${name} NodeHostname=${hostname()} NodeAddr=127.0.0.1 Port=${nodePorts[n]} CPUs=${cpus} RealMemory=4000 State=UNKNOWN`,
  );
  return `ClusterName=weft
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=${controllerPort}
SlurmUser=${username}
SlurmdUser=${username}
AuthType=auth/munge
AuthInfo=socket=${folder}/munge/socket
CredType=cred/munge
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool/%n
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd-%n.pid
SlurmctldLogFile=${folder}/log/slurmctld
SlurmdLogFile=${folder}/log/slurmd-%n
ProctrackType=proctrack/${cgroups ? "cgroup" : "linuxproc"}
TaskPlugin=task/${cgroups ? "cgroup" : "none"}
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=${cgroups ? "CR_Core_Memory" : "CR_Core"}
${preempts ? "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL" : ""}
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SlurmdTimeout=15
KillWait=5
MinJobAge=300
MaxArraySize=20001
MaxJobCount=40000
${nodes.join("\n")}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=first Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2
`;
}
