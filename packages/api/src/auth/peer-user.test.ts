import assert from "node:assert/strict";
import { test } from "node:test";
import { PeerSearch } from "./peer-user.ts";

const HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

/** A line of /proc/net/tcp on a little-endian machine. */
const line = (local: string, remote: string, uid: number, inode: number, state = "01") =>
  `   7: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 2 00000000dbe05862 20 0 0 10 -1\n`;

const PEER = "0100007F:AC86";
const OWN = "0100007F:1F90";
const IPV4 = { remoteAddress: "127.0.0.1", remotePort: 44166, localAddress: "127.0.0.1", localPort: 8080 };
const MAPPED = { ...IPV4, remoteAddress: "::ffff:127.0.0.1", localAddress: "::ffff:127.0.0.1" };
const IPV6 = { ...IPV4, remoteAddress: "::1", localAddress: "::1" };
const LINK = { ...IPV4, remoteAddress: "fe80::2:3%eth0", localAddress: "fe80::1" };

const CASES: Readonly<Record<string, readonly [ends: typeof IPV4, table: string, uid: number | undefined]>> = {
  "the peer's end of the connection": [IPV4, line(PEER, OWN, 1000, 34915), 1000],
  "our own end is not the peer's": [IPV4, line(OWN, PEER, 0, 34914), undefined],
  "another port": [IPV4, line("0100007F:AC87", OWN, 1000, 34915), undefined],
  "a peer that has closed its sending side": [IPV4, line(PEER, OWN, 1000, 9, "05"), 1000],
  "a peer that is gone, which the kernel lists as root's": [IPV4, line(PEER, OWN, 0, 0, "05"), undefined],
  "a later socket at the peer's port, which is only trying to connect": [
    IPV4,
    line(PEER, OWN, 0, 34915, "02"),
    undefined,
  ],
  root: [IPV4, line(PEER, OWN, 0, 34915), 0],
  "an IPv6 socket that connected to an IPv4 address": [
    IPV4,
    line("0000000000000000FFFF00000100007F:AC86", "0000000000000000FFFF00000100007F:1F90", 33, 5),
    33,
  ],
  "a mapped address": [MAPPED, line(PEER, OWN, 1000, 34915), 1000],
  IPv6: [IPV6, line("00000000000000000000000001000000:AC86", "00000000000000000000000001000000:1F90", 1000, 5), 1000],
  "IPv6 with a zone": [
    LINK,
    line("000080FE000000000000000003000200:AC86", "000080FE000000000000000001000000:1F90", 7, 5),
    7,
  ],
  nothing: [IPV4, "", undefined],
};

const skip = process.arch === "s390x" && "the rows are those of a little-endian machine";

test("the account at the other end", { skip }, async (t) => {
  for (const [name, [ends, table, uid]] of Object.entries(CASES))
    await t.test(name, () => {
      const search = new PeerSearch([ends]);
      // In pieces, as a file is read.
      for (const piece of `${HEAD}${HEAD}${table}`.match(/[^]{1,50}/g) ?? []) search.read(piece);
      assert.deepEqual([search.peers.map((peer) => peer?.uid), search.isDone], [[uid], uid !== undefined]);
    });
});

test("many connections in one read, each with its own account", { skip }, () => {
  const port = (index: number) => (40_000 + index).toString(16).toUpperCase();
  const search = new PeerSearch(Array.from({ length: 500 }, (_, index) => ({ ...IPV4, remotePort: 40_000 + index })));
  const lines = Array.from({ length: 499 }, (_, index) => line(`0100007F:${port(index)}`, OWN, index, index + 1));
  search.read(HEAD + lines.toReversed().join(""));
  const found = search.peers.map((peer) => peer?.uid ?? null);
  assert.deepEqual(found, [...Array.from({ length: 499 }).keys(), null]);
  assert.ok(!search.isDone);
});
