import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { PeerTable, startPeerReader, type Peer, type PeerReader } from "./peer-table.ts";
import { PEER_TABLES } from "./peer-user.ts";

/**
 * Returns why a connection is refused, "closed" if its client has left before its account was known; undefined if it is
 * accepted. Takes time only for a connection's first request.
 */
export type PeerGuard = (socket: Socket) => Verdict | Promise<Verdict>;

type Verdict = Refusal | "closed" | undefined;

const ROOT = 0;
const JOBS_REFUSED =
  "This connection may come from a job. The server has no login, so it answers only the account that runs it, not its jobs. " +
  "Start the server with --auth token, and sign in with a token.";

/** Accepts every connection: there is a login, or accounts cannot be distinguished. */
export const openToAll: PeerGuard = () => undefined;

/**
 * Maximum number of connections whose account is still unknown. Further ones are closed immediately, so a flood delays
 * no other client.
 */
const MAX_UNVERIFIED = 1024;

/** Maximum number of connections of other accounts that stay open for their answer, and for how long. */
const MAX_STRANGERS = 64;
const STRANGER_MS = 1_000;

/**
 * Accepts only root, `peerUsers` (uids) and processes of this account that are not jobs: any account of a machine can
 * reach its loopback interface. Checks once per connection. Without /proc (macOS), every connection is accepted.
 */
export function createPeerGuard(peerUsers: readonly number[]): PeerGuard {
  const ownUser = process.getuid?.();
  if (ownUser === undefined || !PEER_TABLES.some((path) => existsSync(path))) return openToAll;
  const allowed = new Set([ownUser, ROOT, ...peerUsers]);
  const table = new PeerTable((connections) => peerReader()(connections, [...allowed]));
  const strangers = new Strangers();
  const verdicts = new WeakMap<Socket, { readonly verdict: Verdict | Promise<Verdict> }>();
  let unverified = 0;
  const judge = async (socket: Socket): Promise<Verdict> => {
    if (unverified >= MAX_UNVERIFIED) socket.destroy();
    unverified += 1;
    const verdict = verdictOn(await findPeer(socket, table), { allowed, ownUser });
    unverified -= 1;
    if (verdict instanceof Refusal) strangers.add(socket);
    verdicts.set(socket, { verdict });
    return verdict;
  };
  return (socket) => {
    const known = verdicts.get(socket);
    if (known !== undefined) return known.verdict;
    const verdict = judge(socket);
    verdicts.set(socket, { verdict });
    return verdict;
  };
}

let reader: PeerReader | undefined;

/** All servers of a process share one thread, because they see the same tables. */
function peerReader(): PeerReader {
  reader ??= startPeerReader();
  return reader;
}

/** Connections of other accounts: open long enough to read the refusal, and too few to block other clients. */
class Strangers {
  #count = 0;

  add(socket: Socket): void {
    if (socket.destroyed) return;
    if (this.#count >= MAX_STRANGERS) {
      socket.destroy();
      return;
    }
    this.#count += 1;
    const timer = setTimeout(() => socket.destroy(), STRANGER_MS).unref();
    socket.once("close", () => {
      clearTimeout(timer);
      this.#count -= 1;
    });
  }
}

async function findPeer(socket: Socket, table: PeerTable): Promise<Peer> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return "closed";
  if (localAddress === undefined || localPort === undefined) return "closed";
  return table.find({ remoteAddress, remotePort, localAddress, localPort });
}

interface Accounts {
  readonly allowed: ReadonlySet<number>;
  readonly ownUser: number;
}

function verdictOn(uid: Peer, { allowed, ownUser }: Accounts): Verdict {
  if (uid === "closed") return uid;
  if (uid === "job") return new Refusal("forbidden", JOBS_REFUSED);
  if (uid !== "unknown" && allowed.has(uid)) return undefined;
  const remedy =
    uid === "unknown"
      ? "Start it with --auth token to let others sign in."
      : `Start it with --auth token to let others sign in, or with --peer-user ${uid} if that account is trusted (a reverse proxy's).`;
  const whose = uid === "unknown" ? "an unknown account" : `the account with uid ${uid}`;
  return new Refusal(
    "forbidden",
    `This server answers only to the account that runs it (uid ${ownUser}); this connection comes from ${whose}. ${remedy}`,
  );
}
