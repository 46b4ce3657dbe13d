import { delimiter, dirname } from "node:path";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";

interface JobFolders {
  readonly outdir: string;
  readonly tmpdir: string;
}

type Definitions = Readonly<Record<string, string>>;

const NAME = /^[A-Za-z_]\w*$/;

/**
 * The environment of a job, built from nothing (CWL v1.2 CommandLineTool.html#Runtime_environment): HOME is the output
 * folder, TMPDIR its own, PATH the server's; behind it the folder of the Node that Weft brings along, for tools written
 * for Node on a machine that has no other.
 */
export function jobEnvironment(folders: JobFolders, definitions: Definitions): Definitions {
  const path = [process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", dirname(process.execPath)].join(delimiter);
  return { PATH: path, LANG: "C.UTF-8", ...containerEnvironment(folders, definitions) };
}

/** What a job in a container gets beside what its image sets, PATH among it: nothing of this machine. */
export function containerEnvironment(folders: JobFolders, definitions: Definitions): Definitions {
  for (const [name, value] of Object.entries(definitions)) {
    if (!NAME.test(name) || value.includes("\0")) {
      throw new CwlFailure("EXPRESSION", `"${name}" cannot be set as an environment variable`, {
        place: "EnvVarRequirement",
      });
    }
  }
  return { ...definitions, HOME: folders.outdir, TMPDIR: folders.tmpdir };
}
