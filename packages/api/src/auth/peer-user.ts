import { endianness } from "node:os";
import { addressBytes, type ConnectionEnds, type FoundPeer } from "./connection-ends.ts";

/** The files in which the kernel lists the connections of this machine (proc(5)). */
export const PEER_TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

const ESTABLISHED = "01";
const SYN_SENT = "02";

/**
 * Finds the uids of the accounts at the other ends of connections within this machine, in the texts of /proc/net/tcp
 * and /proc/net/tcp6 (proc(5)), which come in chunks. Parses only the lines of wanted connections.
 *
 * A socket that its process has already closed is listed with inode 0 and as root's, so a client that sends a request
 * and closes immediately would pass for root. Such an entry is ignored. So is one that is still connecting: the peer
 * has connected, so this is a later socket on the same port.
 */
export class PeerSearch {
  /** The peers in the order of the connections; null if a peer is not listed. */
  readonly peers: (FoundPeer | null)[];
  readonly #wanted = new Map<string, number>();
  readonly #open: Set<number>;
  #rest = "";

  constructor(connections: readonly ConnectionEnds[]) {
    this.peers = connections.map(() => null);
    this.#open = new Set(connections.keys());
    for (const [index, ends] of connections.entries())
      for (const spelling of peerSpellings(ends)) this.#wanted.set(spelling, index);
  }

  /** True if every connection was found. */
  get isDone(): boolean {
    return this.#open.size === 0;
  }

  read(chunk: string): void {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#readLine(line);
  }

  #readLine(line: string): void {
    const start = line.indexOf(": ") + 2;
    const index = this.#wanted.get(line.slice(start, line.indexOf(" ", line.indexOf(" ", start) + 1)));
    if (index === undefined) return;
    const [, , , state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (inode === undefined || inode === "0" || state === SYN_SENT) return;
    this.peers[index] = { uid: Number(uid), inode, isEstablished: state === ESTABLISHED };
    this.#open.delete(index);
  }
}

/** The peer's line begins with its own end. An IPv6 peer that connected to an IPv4 address is listed in the other table. */
function peerSpellings({ remoteAddress, remotePort, localAddress, localPort }: ConnectionEnds): readonly string[] {
  const [remote, local] = [words(addressBytes(remoteAddress)), words(addressBytes(localAddress))];
  const line = (prefix: string) => `${prefix}${remote}:${hexPort(remotePort)} ${prefix}${local}:${hexPort(localPort)}`;
  return remote.length === IPV4_DIGITS ? [line(""), line(MAPPED)] : [line("")];
}

const IPV4_DIGITS = 8;

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** The kernel prints addresses as words of 32 bits in the order of the machine. */
function words(bytes: readonly number[]): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 4) {
    const word = bytes.slice(start, start + 4);
    if (endianness() === "LE") word.reverse();
    text += word.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return text.toUpperCase();
}

/** 0:0:0:0:0:ffff as the prefix of an IPv4 address. */
const MAPPED = words([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);
