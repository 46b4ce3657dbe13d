import { serveTasks } from "@weft/engine/async/thread-pool.ts";
import { findPeers, type Wanted } from "./find-peers.ts";
import { SocketDiag } from "./socket-diag.ts";

const diag = SocketDiag.open();

serveTasks(() => ({
  find: (connections: readonly Wanted[], accepted: readonly number[]) => findPeers(connections, { accepted, diag }),
}));
