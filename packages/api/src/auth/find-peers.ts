import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { jobSockets } from "@weft/engine/executor/kill/job-sockets.ts";
import { otherEnd, type ConnectionEnds, type FoundPeer } from "./connection-ends.ts";
import { PEER_TABLES, PeerSearch } from "./peer-user.ts";
import type { SocketDiag } from "./socket-diag.ts";
import { SocketHolders } from "./socket-holders.ts";

/** A connection whose peer is unknown. */
export interface Wanted {
  readonly ends: ConnectionEnds;
  /** True if a first lookup did not find the peer. */
  readonly isSecondLook: boolean;
}

/**
 * One entry per connection, in order: a uid, "job" for a job of this account, "closed" if the client has ended the
 * connection, null for a peer that was not found.
 */
export type FoundUids = readonly (number | "job" | "closed" | null)[];

/** The kernel fills a page at a time, however large the buffer is. */
const buffer = Buffer.alloc(64 * 1024);

const holders = new SocketHolders();

interface Search {
  /** The accounts that the server answers. */
  readonly accepted: readonly number[];
  readonly diag: SocketDiag | undefined;
}

/**
 * Finds the peers of connections. Queries the kernel for each socket (`diag`), and reads the kernel's tables at the
 * second lookup, or if `diag` is not available.
 */
export function findPeers(connections: readonly Wanted[], { accepted, diag }: Search): FoundUids {
  const uids = withoutJobs(findEnds(connections, diag), accepted);
  const lost = connections.filter(({ isSecondLook }, index) => isSecondLook && uids[index] === null);
  if (lost.length === 0) return uids;
  // The peer of a closed connection has no socket, or one without an inode; the server's own socket says which it is.
  const own = findEnds(
    lost.map(({ ends }) => ({ ends: otherEnd(ends), isSecondLook: true })),
    diag,
  );
  const closed = new Set(lost.filter((_connection, index) => own[index]?.isEstablished !== true));
  return connections.map((connection, index) => (closed.has(connection) ? "closed" : (uids[index] ?? null)));
}

function findEnds(connections: readonly Wanted[], diag: SocketDiag | undefined): readonly (FoundPeer | null)[] {
  const asked = connections.map(({ ends }) => diag?.find(ends) ?? null);
  return withListed(connections, asked, ({ isSecondLook }) => diag === undefined || isSecondLook);
}

/**
 * Adds peers that are still missing from the tables. Reading a table takes milliseconds even if it is nearly empty, so
 * the second one is read only for connections missing in the first.
 */
function withListed(
  connections: readonly Wanted[],
  asked: readonly (FoundPeer | null)[],
  isListed: (connection: Wanted) => boolean,
): readonly (FoundPeer | null)[] {
  const missing = connections.filter((connection, index) => asked[index] === null && isListed(connection));
  if (missing.length === 0) return asked;
  const search = new PeerSearch(missing.map(({ ends }) => ends));
  for (const path of PEER_TABLES) if (!search.isDone && existsSync(path)) readTable(path, search);
  const listed = new Map(missing.map((connection, index) => [connection, search.peers[index] ?? null]));
  return connections.map((connection, index) => asked[index] ?? listed.get(connection) ?? null);
}

/**
 * A job runs under the server's account and must not be mistaken for its owner. A job of root can switch to any
 * account; only root sees the sockets of other accounts. Nothing is looked up about accounts that the server refuses
 * anyway: they could make it read all of /proc again and again.
 */
function withoutJobs(peers: readonly (FoundPeer | null)[], accepted: readonly number[]): FoundUids {
  const ownUser = process.getuid?.();
  const couldBeJob = (uid: number) => accepted.includes(uid) && (ownUser === 0 || uid === ownUser);
  const suspects = peers.filter((peer) => peer !== null).filter(({ uid }) => couldBeJob(uid));
  const inodes = suspects.map(({ inode }) => inode);
  const vouched = holders.vouchedFor(inodes);
  const doubtful = inodes.filter((inode) => !vouched.has(inode));
  const jobs = doubtful.length === 0 ? new Set() : jobSockets(doubtful);
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
