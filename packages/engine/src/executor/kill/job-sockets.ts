import { canStamp } from "./job-stamp.ts";
import { linkOf, namesIn, textOf } from "../process-files.ts";

/**
 * Returns the sockets (inodes, as /proc/net/tcp lists them) that a job of this machine holds. A process belongs to a job if
 * its limit on file locks differs from the server's, because only a stamp changes that limit and an ordinary account cannot
 * undo it, or if its environment names a job.
 *
 * A sandboxed job that shares the network of this process can hide its sockets (in a thread's own table, or in transit
 * between two processes). While one runs, a socket counts as a job's unless another process visibly holds it. Without a
 * sandbox, a job has the account's rights over the server itself, so searching for hidden sockets would gain nothing.
 */
export function jobSockets(inodes: readonly string[], proc = "/proc"): ReadonlySet<string> {
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`));
  const own: OwnMarks = {
    hasFreeLimit: canStamp(textOf(`${proc}/self/limits`)),
    network: linkOf(`${proc}/self/ns/net`),
  };
  const processes = namesIn(proc).filter((name) => /^\d+$/.test(name));
  const isJob = Map.groupBy(processes, (pid) => isOfJob(`${proc}/${pid}`, own));
  const jobs = isJob.get(true) ?? [];
  if (sockets.size === 0 || jobs.length === 0) return new Set();
  const theirs = new Set(jobs.flatMap((pid) => heldBy(`${proc}/${pid}`, sockets)));
  const unseen = new Set([...sockets].filter((socket) => !theirs.has(socket)));
  if (jobs.some((pid) => mayHide(`${proc}/${pid}`, own))) {
    for (const pid of isJob.get(false) ?? []) {
      if (unseen.size === 0) break;
      for (const socket of heldBy(`${proc}/${pid}`, unseen)) unseen.delete(socket);
    }
    for (const socket of unseen) theirs.add(socket);
  }
  return new Set(inodes.filter((inode) => theirs.has(`socket:[${inode}]`)));
}

interface OwnMarks {
  /** The number of file locks is unlimited by default everywhere. */
  readonly hasFreeLimit: boolean;
  readonly network: string | undefined;
}

function isOfJob(folder: string, { hasFreeLimit }: OwnMarks): boolean {
  const limits = textOf(`${folder}/limits`);
  if (hasFreeLimit && limits !== "" && !canStamp(limits)) return true;
  return `\0${textOf(`${folder}/environ`)}`.includes("\0WEFT_JOB=");
}

/** Whether a process is in a process namespace below the server's (a sandbox), and maybe in its network namespace. */
function mayHide(folder: string, { network }: OwnMarks): boolean {
  if (!/^NSpid:\t\d+\t/m.test(textOf(`${folder}/status`))) return false;
  const theirs = linkOf(`${folder}/ns/net`);
  return theirs === undefined || theirs === network;
}

function heldBy(folder: string, sockets: ReadonlySet<string>): readonly string[] {
  return namesIn(`${folder}/fd`).flatMap((name) => {
    const target = linkOf(`${folder}/fd/${name}`);
    return target !== undefined && sockets.has(target) ? [target] : [];
  });
}
