import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import { overrideRequirements } from "@weft/cwl/model/override-requirements.ts";
import type { RequirementOverrides } from "@weft/cwl/model/override-requirements.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { Settings } from "../settings/read-settings.ts";
import { writeDiagnostics } from "./load-cwl.ts";

/** The process plus the requirements that the command line and the input object add. Undefined after printing errors. */
export async function adjustProcess(
  process: Process,
  fromInputs: RequirementOverrides,
  settings: Settings,
): Promise<Process | undefined> {
  const file = settings.path("overrides");
  const fromFile =
    file === undefined ? new Map<string, readonly Requirement[]>() : await loadOverrides(file, settings.io);
  if (fromFile === undefined) return undefined;
  const overridden = overrideRequirements(process, new Map([...fromInputs, ...fromFile]));
  return { ...overridden, hints: [...hintsOf(settings, overridden), ...overridden.hints] };
}

async function loadOverrides(file: string, io: CommandIo): Promise<RequirementOverrides | undefined> {
  const uri = pathToUri(file);
  const { overrides, diagnostics, sources } = await loadInputObject(uri, { reader: diskReader });
  writeDiagnostics(diagnostics, sources, { io, isQuiet: true });
  return diagnostics.some(({ severity }) => severity === "error") ? undefined : overrides;
}

/** Hints of the outermost process apply wherever an inner one does not replace them. */
function hintsOf(settings: Settings, { requirements, hints }: Process): readonly Requirement[] {
  const image = settings.text("default-container");
  const names = settings.list("preserve-environment");
  const isFree = (name: Requirement["class"]) => ![...requirements, ...hints].some((one) => one.class === name);
  const found: Requirement[] = [];
  if (image !== undefined && isFree("DockerRequirement")) found.push({ class: "DockerRequirement", dockerPull: image });
  if (names.length > 0 && isFree("EnvVarRequirement"))
    found.push({ class: "EnvVarRequirement", envDef: envDef(names, settings.io) });
  return found;
}

/** Escapes values, because they are text even if they look like expressions. */
function envDef(names: readonly string[], { env }: CommandIo) {
  return names.flatMap((envName) => {
    const value = env[envName];
    return value === undefined ? [] : [{ envName, envValue: value.replaceAll(/\\|\$(?=[({])/g, "\\$&") }];
  });
}
