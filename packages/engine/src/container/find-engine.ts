import { CONTAINER_KINDS } from "@weft/shared/records/container-record.ts";
import type { ContainerKind, ContainerSetting } from "@weft/shared/records/container-record.ts";
import type { ContainerEngine } from "./container-engine.ts";

export type FoundEngine =
  | { readonly engine: ContainerEngine; readonly version: string; readonly remarks: readonly string[] }
  /** A complete sentence that names what was tried. */
  | { readonly engine: undefined; readonly why: string };

/** The first working engine of those that the setting allows, in the order of `CONTAINER_KINDS`. */
export async function findEngine(
  setting: Exclude<ContainerSetting, "none">,
  engineOf: (kind: ContainerKind) => ContainerEngine,
): Promise<FoundEngine> {
  const tried: string[] = [];
  for (const kind of setting === "auto" ? CONTAINER_KINDS : [setting]) {
    const engine = engineOf(kind);
    const probe = await engine.probe();
    if (probe.works) return { engine, version: probe.version, remarks: probe.remarks ?? [] };
    tried.push(`${kind} ${probe.why}`);
  }
  return { engine: undefined, why: `no container engine works here (${tried.join("; ")})` };
}
