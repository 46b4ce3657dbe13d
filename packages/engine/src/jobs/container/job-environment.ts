import { delimiter, dirname } from "node:path";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { environmentNameProblem } from "@weft/cwl/model/requirement.ts";

interface JobFolders {
  readonly outdir: string;
  readonly tmpdir: string;
}

type Definitions = Readonly<Record<string, string>>;

/**
 * The environment of a job, built from scratch (CWL v1.2 CommandLineTool.html#Runtime_environment). HOME is the output
 * directory, TMPDIR its own folder, PATH the server's. The folder of Weft's own Node comes last in PATH, for tools
 * written for Node on machines without one.
 */
export function jobEnvironment(folders: JobFolders, definitions: Definitions): Definitions {
  const path = [process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", dirname(process.execPath)].join(delimiter);
  return { PATH: path, LANG: "C.UTF-8", ...containerEnvironment(folders, definitions) };
}

/** What a containerized job gets in addition to its image's variables, PATH among them: nothing from this machine. */
export function containerEnvironment(folders: JobFolders, definitions: Definitions): Definitions {
  for (const [name, value] of Object.entries(definitions)) {
    if (environmentNameProblem(name) !== undefined || value.includes("\0")) {
      throw new CwlFailure("EXPRESSION", `"${name}" cannot be set as an environment variable`, {
        place: "EnvVarRequirement",
      });
    }
  }
  return { ...definitions, HOME: folders.outdir, TMPDIR: folders.tmpdir };
}
