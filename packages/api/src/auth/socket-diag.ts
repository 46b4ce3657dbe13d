import { readSync, writeSync } from "node:fs";
import { endianness } from "node:os";
import { addressBytes, type ConnectionEnds, type FoundPeer } from "./connection-ends.ts";

const [AF_INET, AF_INET6, AF_NETLINK] = [2, 10, 16];
const SOCK_RAW = 3;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const NETLINK_SOCK_DIAG = 4;
const NLM_F_REQUEST = 1;
const SOCK_DIAG_BY_FAMILY = 20;
const IPPROTO_TCP = 6;

/** `struct nlmsghdr`, then `struct inet_diag_req_v2` or `struct inet_diag_msg` (linux/netlink.h, linux/inet_diag.h). */
const HEADER_BYTES = 16;
const REQUEST_BYTES = HEADER_BYTES + 56;
const ANSWER_BYTES = HEADER_BYTES + 72;

/** States of a socket whose connection was established (net/tcp_states.h): not SYN_SENT, TIME_WAIT, CLOSE or LISTEN. */
const ESTABLISHED = 1;
const ESTABLISHED_ONCE: ReadonlySet<number> = new Set([ESTABLISHED, 4, 5, 8, 9, 11]);

const IS_LITTLE_ENDIAN = endianness() === "LE";

/**
 * Queries the kernel for one socket by its ends (sock_diag(7)). That takes microseconds, however many sockets the machine
 * has; /proc/net/tcp lists all of them. Node cannot create a netlink socket, so its foreign function interface calls socket(2).
 * The kernel replies while it receives the request, so reading never waits.
 */
export class SocketDiag {
  readonly #fd: number;
  readonly #request = new DataView(new ArrayBuffer(REQUEST_BYTES));
  readonly #answer = new DataView(new ArrayBuffer(4096));
  #sequence = 0;

  private constructor(fd: number) {
    this.#fd = fd;
  }

  /** Undefined if Node or the kernel does not support it. */
  static open(): SocketDiag | undefined {
    try {
      const ffi = process.getBuiltinModule("node:ffi");
      const { functions } = ffi.dlopen(null, {
        socket: { arguments: ["int32", "int32", "int32"], return: "int32" },
      });
      const fd = functions.socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
      return fd === -1 ? undefined : new SocketDiag(fd);
    } catch {
      return undefined;
    }
  }

  /** The peer of a connection; null if the kernel knows no such socket, or one that its process has closed. */
  find(ends: ConnectionEnds): FoundPeer | null {
    this.#sequence = (this.#sequence + 1) >>> 0;
    this.#writeRequest(ends);
    try {
      writeSync(this.#fd, this.#request);
      return this.#readAnswer(readSync(this.#fd, this.#answer), ends);
    } catch {
      return null;
    }
  }

  /** The peer's own end is the source of its socket. */
  #writeRequest({ remoteAddress, remotePort, localAddress, localPort }: ConnectionEnds): void {
    const request = this.#request;
    const source = addressBytes(remoteAddress);
    new Uint8Array(request.buffer).fill(0);
    request.setUint32(0, REQUEST_BYTES, IS_LITTLE_ENDIAN);
    request.setUint16(4, SOCK_DIAG_BY_FAMILY, IS_LITTLE_ENDIAN);
    request.setUint16(6, NLM_F_REQUEST, IS_LITTLE_ENDIAN);
    request.setUint32(8, this.#sequence, IS_LITTLE_ENDIAN);
    request.setUint8(16, source.length === 4 ? AF_INET : AF_INET6);
    request.setUint8(17, IPPROTO_TCP);
    request.setUint32(20, 0xffffffff);
    request.setUint16(24, remotePort);
    request.setUint16(26, localPort);
    for (const [index, byte] of source.entries()) request.setUint8(28 + index, byte);
    for (const [index, byte] of addressBytes(localAddress).entries()) request.setUint8(44 + index, byte);
    // Without a cookie, the kernel finds the socket by its ends.
    request.setUint32(64, 0xffffffff);
    request.setUint32(68, 0xffffffff);
  }

  /**
   * Accepts only the reply to this request. If no connection has these ends, the kernel returns the program that listens
   * at the peer's port. A socket that its process has closed has inode 0 and counts as root's.
   */
  #readAnswer(size: number, { remotePort, localPort }: ConnectionEnds): FoundPeer | null {
    const answer = this.#answer;
    if (size < ANSWER_BYTES || answer.getUint16(4, IS_LITTLE_ENDIAN) !== SOCK_DIAG_BY_FAMILY) return null;
    if (answer.getUint32(8, IS_LITTLE_ENDIAN) !== this.#sequence) return null;
    const state = answer.getUint8(17);
    if (!ESTABLISHED_ONCE.has(state)) return null;
    if (answer.getUint16(20) !== remotePort || answer.getUint16(22) !== localPort) return null;
    const inode = answer.getUint32(84, IS_LITTLE_ENDIAN);
    if (inode === 0) return null;
    const uid = answer.getUint32(80, IS_LITTLE_ENDIAN);
    return { uid, inode: String(inode), isEstablished: state === ESTABLISHED };
  }
}
