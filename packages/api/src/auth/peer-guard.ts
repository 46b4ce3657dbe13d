import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { peerUser } from "./peer-user.ts";

/** Says why a connection is not answered; undefined where it is. */
export type PeerGuard = (socket: Socket) => Promise<Refusal | undefined>;

const ROOT = 0;

/** Answers everybody: there is a login, or no way to tell accounts apart. */
export const openToAll: PeerGuard = () => Promise.resolve(undefined);

/**
 * Answers only to processes of this account, of root and of `peerUsers` (uids): any account of a machine can reach its
 * loopback interface. Looks once per connection. Where there is no /proc (macOS) everybody is answered.
 */
export function createPeerGuard(peerUsers: readonly number[]): PeerGuard {
  const ownUser = process.getuid?.();
  if (ownUser === undefined || process.platform !== "linux") return openToAll;
  const allowed = new Set([ownUser, ROOT, ...peerUsers]);
  const verdicts = new WeakMap<Socket, Promise<Refusal | undefined>>();
  return (socket) => {
    const known = verdicts.get(socket);
    if (known !== undefined) return known;
    const verdict = findPeer(socket).then((uid) => refusalOf(uid, { allowed, ownUser }));
    verdicts.set(socket, verdict);
    return verdict;
  };
}

/** "unreadable" where this system does not show its connections. */
async function findPeer(socket: Socket): Promise<number | "unknown" | "unreadable"> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return "unknown";
  if (localAddress === undefined || localPort === undefined) return "unknown";
  const tables = await Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map(readTable));
  if (tables.every((table) => table === "")) return "unreadable";
  return peerUser({ remoteAddress, remotePort, localAddress, localPort }, tables) ?? "unknown";
}

/** Without IPv6 there is no second table. */
function readTable(path: string): Promise<string> {
  return readFile(path, "latin1").catch(() => "");
}

interface Accounts {
  readonly allowed: ReadonlySet<number>;
  readonly ownUser: number;
}

function refusalOf(uid: number | "unknown" | "unreadable", { allowed, ownUser }: Accounts): Refusal | undefined {
  if (uid === "unreadable" || (uid !== "unknown" && allowed.has(uid))) return undefined;
  const remedy =
    uid === "unknown"
      ? "Start it with --auth token to let others sign in."
      : `Start it with --auth token to let others sign in, or with --peer-user ${uid} if that account is trusted (a reverse proxy's).`;
  const whose = uid === "unknown" ? "an account that cannot be told" : `the account with uid ${uid}`;
  return new Refusal(
    "forbidden",
    `This server answers only to the account that runs it (uid ${ownUser}); this connection comes from ${whose}. ${remedy}`,
  );
}
