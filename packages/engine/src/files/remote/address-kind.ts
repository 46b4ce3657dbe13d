import { BlockList, isIP } from "node:net";

/**
 * Addresses that are not for everybody to reach, by what they are for (IANA's special-purpose registries). Those that
 * carry an IPv4 address within (NAT64, 6to4, Teredo) could mean any of them and stand here as a whole.
 */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"],
  "link-local": ["169.254.0.0/16", "fe80::/10"],
  reserved: [
    ...["0.0.0.0/8", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
    ...["224.0.0.0/4", "240.0.0.0/4", "::/128", "100::/64", "ff00::/8", "2001:db8::/32"],
    ...["64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"],
  ],
};

interface SpecialList {
  readonly kind: string;
  readonly list: BlockList;
}

/** Built on first use: most runs download nothing. */
let lists: readonly SpecialList[] | undefined;

/** `loopback`, `private`, `link-local` (metadata services of clouds are) or `reserved`; undefined for a public address. */
export function specialKind(address: string): string | undefined {
  const [plain = ""] = address.split("%");
  const family = isIP(plain) === 6 ? "ipv6" : "ipv4";
  lists ??= Object.entries(SPECIAL).map(([kind, subnets]) => ({ kind, list: listOf(subnets) }));
  return lists.find(({ list }) => list.check(plain, family))?.kind;
}

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", prefix] = subnet.split("/");
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
