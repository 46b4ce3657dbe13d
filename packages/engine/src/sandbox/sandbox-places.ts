import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { launcherPath } from "../executor/launcher-path.ts";
import { isBelow } from "../files/is-below.ts";

/** A folder's configured path and its real path. */
export interface Area {
  readonly given: string;
  readonly real: string;
}

/** The settings that all jobs of a server, or of one `weft run`, share. */
export interface SandboxPlaces {
  /** Folders that are hidden from jobs except for their own parts, above all the state folder. */
  readonly hidden: readonly Area[];
  /** Shared temporary folders. A job sees private ones instead. */
  readonly temporary: readonly Area[];
  /** Paths in hidden or temporary folders that every job may read: the catalog, Weft's own Node, and its launcher. */
  readonly kept: readonly string[];
  /** Files that only a job with network access may read: they configure name resolution. */
  readonly keptForNetwork: readonly string[];
  /** Contains one folder per run. */
  readonly runsFolder: string;
  /** Folders with inputs of any run: uploads, WES documents, downloads. */
  readonly stores: readonly string[];
  /** Absolute paths below /dev of devices for computation. */
  readonly devices: readonly string[];
  /** The file with the filter of system calls, in the state folder. */
  readonly filter: string;
}

/** Graphics cards, other accelerators, and network devices for parallel programs. */
const DEVICES = /^(?:nvidia.*|dri|kfd|accel|dxg|infiniband|davinci.*|devmm_svm|hisi_hdc)$/;
/**
 * Contains the sockets of this machine's services (D-Bus, docker, the account's own session), which start programs
 * outside any sandbox for every account that can open them. Files for name resolution and the programs of NixOS stay
 * visible.
 */
const SERVICES = "/run";
const KEPT_OF_SERVICES = [
  ...["nscd/socket", "nslcd/socket", "current-system", "booted-system", "opengl-driver", "opengl-driver-32"],
].map((path) => join(SERVICES, path));
const RESOLVERS = [
  ...["systemd/resolve/stub-resolv.conf", "systemd/resolve/resolv.conf", "NetworkManager/resolv.conf"],
  ...["NetworkManager/no-stub-resolv.conf", "resolvconf/resolv.conf", "connman/resolv.conf"],
].map((path) => join(SERVICES, path));

const FILTER_FILE = "sandbox-filter.bpf";

export interface StatePlaces {
  readonly root: string;
  readonly runsFolder: string;
  readonly stores: readonly string[];
}

/** The paths that sandboxes hide and show. All paths are absolute; missing ones are omitted. */
export function sandboxPlaces(state: StatePlaces, kept: readonly string[]): SandboxPlaces {
  const { root, runsFolder, stores } = state;
  const launcher = launcherPath();
  return {
    filter: join(root, FILTER_FILE),
    runsFolder,
    stores,
    hidden: outermost([root, runsFolder, ...stores, SERVICES].filter((path) => existsSync(path)).map(areaOf)),
    temporary: outermost(["/tmp", "/var/tmp"].filter((path) => existsSync(path)).map(areaOf)),
    kept: [
      ...[...kept, dirname(realpathSync(process.execPath)), ...KEPT_OF_SERVICES],
      ...(launcher === undefined ? [] : [launcher]),
    ].filter((path) => existsSync(path)),
    keptForNetwork: RESOLVERS.filter((path) => existsSync(path)),
    devices: existsSync("/dev")
      ? readdirSync("/dev")
          .filter((name) => DEVICES.test(name))
          .map((name) => join("/dev", name))
      : [],
  };
}

/**
 * The mount point that makes a path in a hidden area visible in the sandbox under its own name; undefined if it is
 * visible anyway. A link that leads to the area stays a link, so the mount goes below the area's real path.
 */
export function targetIn(areas: readonly Area[], path: string): string | undefined {
  for (const { given, real } of areas)
    for (const name of [given, real]) if (isBelow(path, name)) return `${real}${path.slice(name.length)}`;
  return undefined;
}

function areaOf(given: string): Area {
  return { given, real: realpathSync(given) };
}

function outermost(areas: readonly Area[]): readonly Area[] {
  return areas.filter(
    ({ real }, index) => !areas.some((other, at) => (other.real === real ? at < index : isBelow(real, other.real))),
  );
}
