import { isIP, BlockList } from "node:net";

/** Why a URL may not be fetched, phrased to follow the URL in a sentence. */
export interface HttpRefusal {
  readonly message: string;
  readonly hint?: string;
}

/**
 * Decides which hosts may be contacted. Checked for every hop of a redirect, and again for the addresses to which a
 * name resolves.
 */
export interface HttpPolicy {
  /** The reason why a URL may not be fetched; undefined if it may, as far as is known without resolving its host. */
  refuseUrl(url: string): HttpRefusal | undefined;
  /** Like `refuseUrl`, for an IP address that a host's name resolves to. */
  refuseAddress(host: string, address: string): HttpRefusal | undefined;
}

/** The purpose of a list of hosts, in the words of refusals. */
export interface HostUse {
  readonly flag: string;
  /** The meaning of an empty list. */
  readonly off: string;
  /** An alternative for the user: empty, or a phrase with `or`. */
  readonly instead: string;
}

const DOWNLOADS: HostUse = {
  flag: "--allow-http",
  off: "this server downloads no files",
  instead: "upload the file, or ",
};
export const WEBHOOKS: HostUse = { flag: "--webhook-hosts", off: "this server sends no webhooks", instead: "" };

/** The policy for a person's own command line: allows everything that this person could fetch anyway. */
export const ANY_HOST: HttpPolicy = { refuseUrl: (url) => malformed(url), refuseAddress: () => undefined };

/**
 * For a server, which fetches what others request: only hosts that its administrator allows. `*` means every host,
 * `*.example.org` those below a domain. Refuses addresses of this machine and its own network under any name, unless
 * that exact host is in the list.
 */
export function allowHosts(hosts: readonly string[], use: HostUse = DOWNLOADS): HttpPolicy {
  const entries = new Set(hosts.map((host) => host.trim().toLowerCase()).filter((host) => host !== ""));
  const isNamed = (host: string) => entries.has(host);
  const isAllowed = (host: string) =>
    isNamed(host) || entries.has("*") || parentsOf(host).some((it) => entries.has(it));
  const refuseAddress = (host: string, address: string) => {
    const kind = isNamed(host) ? undefined : specialKind(address);
    return kind === undefined ? undefined : special({ host, address, kind }, use);
  };
  return {
    refuseAddress,
    refuseUrl: (url) => {
      const wrong = malformed(url);
      if (wrong !== undefined) return wrong;
      const host = hostOf(url);
      if (!isAllowed(host)) return notAllowed(host, entries.size === 0, use);
      const address = host.replace(/^\[|\]$/g, "");
      return isIP(address) === 0 ? undefined : refuseAddress(host, address);
    },
  };
}

/** The host in the form of the URL standard: lower case, IPv4 with dots, IPv6 in brackets. */
export function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/\.$/, "") ?? "";
}

/** `a.b.org` → `*.b.org`, `*.org`. */
function parentsOf(host: string): string[] {
  const labels = host.split(".");
  return labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`);
}

function malformed(url: string): HttpRefusal | undefined {
  const parsed = URL.parse(url);
  if (parsed !== null && (parsed.protocol === "http:" || parsed.protocol === "https:")) return undefined;
  return { message: "it is not an http(s) URL" };
}

function notAllowed(host: string, isOff: boolean, { off, flag, instead }: HostUse): HttpRefusal {
  const message = isOff ? off : `${host} is not among the hosts that this server may contact`;
  return { message, hint: `${instead}start the server with ${flag} ${host}` };
}

interface Special {
  readonly host: string;
  readonly address: string;
  readonly kind: string;
}

function special({ host, address, kind }: Special, { flag }: HostUse): HttpRefusal {
  const verb = host.replace(/^\[|\]$/g, "") === address ? "is" : `resolves to ${address},`;
  return {
    message: `${host} ${verb} a ${kind} address, which this server does not contact by default`,
    hint: `allow this host explicitly: ${flag} ${host}`,
  };
}

/**
 * Addresses that are not globally reachable, by purpose (IANA's special-purpose registries). Ranges that embed an IPv4
 * address (NAT64, 6to4, Teredo) could mean any of them, so they are listed as a whole.
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

/** The lists are built on first use, because most runs do not download files. */
let lists: readonly SpecialList[] | undefined;

/**
 * `loopback`, `private`, `link-local` (such as the metadata services of clouds) or `reserved`; undefined for a public
 * address.
 */
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
