import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { jobSockets } from "@weft/engine/executor/kill/job-sockets.ts";
import { PEER_TABLES, PeerSearch } from "./peer-user.ts";
import type { FoundPeer, PeerSpellings } from "./peer-user.ts";

/** A request to read the tables once for many connections. */
export interface PeerQuestion {
  readonly connections: readonly PeerSpellings[];
}

export interface PeerAnswer {
  /** In the order of the connections; null if a peer is not listed. */
  readonly uids: readonly (number | "job" | null)[];
}

/** The kernel fills a page at a time, however large the buffer is. */
const buffer = Buffer.alloc(64 * 1024);

/** Reading a table takes milliseconds even if it is nearly empty, so the second one is read only for connections missing in the first. */
function findPeers({ connections }: PeerQuestion): PeerAnswer {
  const search = new PeerSearch(connections);
  for (const path of PEER_TABLES) if (!search.isDone && existsSync(path)) readTable(path, search);
  return { uids: withoutJobs(search.peers) };
}

/**
 * A job runs under the server's account and must not be mistaken for its owner. A job of root can switch to any account; only
 * root sees the sockets of other accounts.
 */
function withoutJobs(peers: readonly (FoundPeer | null)[]): PeerAnswer["uids"] {
  const ownUser = process.getuid?.();
  const suspects = peers.filter((peer) => peer !== null).filter(({ uid }) => ownUser === 0 || uid === ownUser);
  const jobs = jobSockets(suspects.map(({ inode }) => inode));
  return peers.map((peer) => (peer === null ? null : jobs.has(peer.inode) ? "job" : peer.uid));
}

function readTable(path: string, search: PeerSearch): void {
  const file = openSync(path, "r");
  try {
    for (let size = -1; size !== 0 && !search.isDone;) {
      size = readSync(file, buffer, 0, buffer.length, null);
      search.read(buffer.toString("latin1", 0, size));
    }
  } finally {
    closeSync(file);
  }
}

parentPort?.on("message", (question: PeerQuestion | object) => {
  // Node's watch mode sends messages of its own through a worker's port.
  if ("connections" in question) parentPort?.postMessage(findPeers(question));
});
