import { parentPort } from "node:worker_threads";
import { findPeers } from "./find-peers.ts";
import type { FoundUids, Wanted } from "./find-peers.ts";
import { SocketDiag } from "./socket-diag.ts";

/** A request for the peers of several connections. */
export interface PeerQuestion {
  readonly id: number;
  readonly connections: readonly Wanted[];
}

export interface PeerAnswer {
  /** Id of the request: servers of one process share the thread. */
  readonly id: number;
  readonly uids: FoundUids;
}

const diag = SocketDiag.open();

parentPort?.on("message", (question: PeerQuestion | object) => {
  // Node's watch mode also sends messages through a worker's port.
  if (!("connections" in question)) return;
  const answer: PeerAnswer = { id: question.id, uids: findPeers(question.connections, diag) };
  parentPort?.postMessage(answer);
});
