import { performance } from "node:perf_hooks";
import type { ContainerKind, ContainerSetting } from "@weft/shared/records/container-record.ts";
import { ApptainerEngine } from "./apptainer-engine.ts";
import type { ContainerEngine } from "./container-engine.ts";
import { Containers } from "./containers.ts";
import { OciEngine } from "./oci-engine.ts";
import type { Log } from "../log.ts";
import { runProgram } from "../executor/run-program.ts";

/** The container engines of this machine; nothing runs until one is requested. */
export function openContainers(options: {
  readonly setting: ContainerSetting;
  /** Absolute path; created when the first image is kept. */
  readonly imagesFolder: string;
  readonly log: Log;
  readonly passesOver?: boolean;
}): Containers {
  const { setting, imagesFolder, log, passesOver = false } = options;
  const engineOf = (kind: ContainerKind) => engineOn(kind, imagesFolder);
  return new Containers({ setting, engineOf, log, passesOver, now: () => performance.now() });
}

function engineOn(kind: ContainerKind, imagesFolder: string): ContainerEngine {
  const clientEnv = ownEnvironment();
  if (kind === "docker" || kind === "podman")
    return new OciEngine(kind, { run: runProgram, clientEnv, arch: process.arch });
  return new ApptainerEngine(kind, { run: runProgram, clientEnv, imagesFolder });
}

function ownEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
