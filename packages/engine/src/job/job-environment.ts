import { delimiter, dirname } from "node:path";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";

const NAME = /^[A-Za-z_]\w*$/;

/**
 * The environment of a job, built from nothing (CWL v1.2 CommandLineTool.html#Runtime_environment): HOME is the output
 * folder, TMPDIR its own, PATH the server's; behind it the folder of the Node that Weft brings along, for tools written
 * for Node on a machine that has no other.
 */
export function jobEnvironment(
  folders: { readonly outdir: string; readonly tmpdir: string },
  definitions: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(definitions)) {
    if (!NAME.test(name) || value.includes("\0")) {
      throw new CwlFailure("EXPRESSION", `"${name}" cannot be set as an environment variable`, {
        place: "EnvVarRequirement",
      });
    }
  }
  const path = [process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", dirname(process.execPath)].join(delimiter);
  return { PATH: path, LANG: "C.UTF-8", ...definitions, HOME: folders.outdir, TMPDIR: folders.tmpdir };
}
