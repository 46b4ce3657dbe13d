import { tmpdir } from "node:os";
import { CONTAINER_KINDS, type ContainerKind, type ContainerSetting } from "@weft/shared/records/container-record.ts";
import type { ContainerEngine } from "../container/container-engine.ts";
import { openContainers } from "../container/open-containers.ts";
import { failed, installCommand, ok, warning, type Finding } from "./machine.ts";

/** docker and podman start a container; apptainer and singularity only name their version. */
export async function checkContainers(setting: ContainerSetting, engineOf = engineHere): Promise<Finding> {
  if (setting === "none") return ok("turned off (--container none)");
  const kinds = setting === "auto" ? CONTAINER_KINDS : [setting];
  const tried = await Promise.all(kinds.map(async (kind) => ({ kind, probe: await engineOf(kind).probe() })));
  const working = tried.flatMap(({ kind, probe }) =>
    probe.works ? [`${kind} ${probe.version}${startText(kind)}`] : [],
  );
  const broken = tried.flatMap(({ kind, probe }) => (probe.works ? [] : [{ kind, why: probe.why }]));
  const reasons = broken.map(({ kind, why }) => `${kind} ${why}`);
  if (working.length > 0) return ok([...working, ...reasons].join("; "));
  const wanted = setting === "auto" ? "podman" : setting;
  const fix = fixFor(wanted, broken.find(({ kind }) => kind === wanted)?.why ?? "");
  if (setting !== "auto") return failed(reasons.join("; "), fix);
  return warning(`no engine works, so tools that require a container fail: ${reasons.join("; ")}`, fix);
}

/** A command that installs what is missing, or shows what is wrong. */
function fixFor(kind: ContainerKind, why: string): string {
  const missing = why.startsWith("is not installed")
    ? kind
    : why.endsWith("runc is not installed")
      ? "runc"
      : undefined;
  return missing === undefined ? `${kind} info` : installCommand(missing);
}

function startText(kind: ContainerKind): string {
  return kind === "docker" || kind === "podman" ? " starts containers" : " is installed";
}

function engineHere(kind: ContainerKind): Pick<ContainerEngine, "probe"> {
  return openContainers({ setting: kind, imagesFolder: tmpdir(), log: () => {} }).engine(kind);
}
