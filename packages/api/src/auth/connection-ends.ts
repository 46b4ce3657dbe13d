import { isIPv4 } from "node:net";

/** The two ends of a TCP connection on this machine, as the server's own socket names them. */
export interface ConnectionEnds {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** One end of a connection: its account, and the inode of its socket. */
export interface FoundPeer {
  readonly uid: number;
  readonly inode: string;
  /** False once one end has closed the connection. */
  readonly isEstablished: boolean;
}

/** The ends of a connection as its client names them. */
export function otherEnd({ remoteAddress, remotePort, localAddress, localPort }: ConnectionEnds): ConnectionEnds {
  return { remoteAddress: localAddress, remotePort: localPort, localAddress: remoteAddress, localPort: remotePort };
}

/** Bytes of an IPv4 or IPv6 address in network order. `::ffff:127.0.0.1` is 127.0.0.1. */
export function addressBytes(address: string): readonly number[] {
  const plain = address.toLowerCase().startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
  return isIPv4(plain) ? plain.split(".").map(Number) : bytesOfIpv6(address);
}

function bytesOfIpv6(address: string): readonly number[] {
  // URL writes every IPv6 address in one form; `[::1]` keeps its `::`, which replaces as many zeros as are missing.
  const [head = "", tail] = new URL(`http://[${address.split("%")[0]}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string | undefined) => (text === undefined || text === "" ? [] : text.split(":"));
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
