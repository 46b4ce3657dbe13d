import { isIPv4 } from "node:net";
import { endianness } from "node:os";

/** The two ends of a TCP connection on this machine, as our own socket names them. */
export interface ConnectionEnds {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Where the kernel lists the connections of this machine (proc(5)). */
export const PEER_TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/** The addresses by which /proc/net/tcp and /proc/net/tcp6 may list the peer of a connection. */
export type PeerSpellings = readonly string[];

/** The other end of a connection: its account, and the inode of its socket. */
export interface FoundPeer {
  readonly uid: number;
  readonly inode: string;
}

/**
 * Finds the uids of the accounts at the other ends of connections within this machine, in the texts of /proc/net/tcp and
 * /proc/net/tcp6 (proc(5)), which come in chunks. Parses only the lines of wanted connections.
 *
 * A socket whose process has closed it already is listed with inode 0 and as root's: whoever sends a request and leaves
 * at once would pass for root. Such an entry tells nothing.
 */
export class PeerSearch {
  /** In the order of the connections; null if the peer is not listed. */
  readonly peers: (FoundPeer | null)[];
  readonly #wanted = new Map<string, number>();
  readonly #open: Set<number>;
  #rest = "";

  constructor(connections: readonly PeerSpellings[]) {
    this.peers = connections.map(() => null);
    this.#open = new Set(connections.keys());
    for (const [index, spellings] of connections.entries())
      for (const spelling of spellings) this.#wanted.set(spelling, index);
  }

  /** Whether every connection was found. */
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
    const [, , , , , , , uid, , inode] = line.trim().split(/\s+/);
    if (inode === undefined || inode === "0") return;
    this.peers[index] = { uid: Number(uid), inode };
    this.#open.delete(index);
  }
}

/** The peer's line begins with its own end. A peer that speaks IPv6 may have come to an IPv4 address, and is in the other table then. */
export function peerSpellings({ remoteAddress, remotePort, localAddress, localPort }: ConnectionEnds): PeerSpellings {
  const [remote, local] = [plainAddress(remoteAddress), plainAddress(localAddress)];
  const line = (spell: (address: string) => string) =>
    `${spell(remote)}:${hexPort(remotePort)} ${spell(local)}:${hexPort(localPort)}`;
  return isIPv4(remote) ? [line(hexAddress4), line((address) => MAPPED + hexAddress4(address))] : [line(hexAddress6)];
}

/** `::ffff:127.0.0.1` is 127.0.0.1. */
function plainAddress(address: string): string {
  const mapped = address.toLowerCase().startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
  return isIPv4(mapped) ? mapped : address;
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

function hexAddress4(address: string): string {
  return words(address.split(".").map(Number));
}

function hexAddress6(address: string): string {
  // URL writes every IPv6 address in one form; `[::1]` keeps its `::`, which stands for as many zeros as are missing.
  const [head = "", tail] = new URL(`http://[${address.split("%")[0]}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string | undefined) => (text === undefined || text === "" ? [] : text.split(":"));
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const bytes = [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return words(bytes);
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

/** 0:0:0:0:0:ffff as it stands in front of an IPv4 address. */
const MAPPED = words([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);
