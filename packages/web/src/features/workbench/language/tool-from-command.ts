import { inferTool } from "@weft/cwl/wrap/infer-tool.ts";
import { parseHelp } from "@weft/cwl/wrap/parse-help.ts";
import { splitCommand } from "@weft/cwl/wrap/split-command.ts";
import { writeTool } from "@weft/cwl/wrap/write-tool.ts";

/**
 * The text of a tool that runs a command line. Missing facts of the command line and its program's help are assumed,
 * and written into comments at the top. Rejects with CommandProblem for anything but a single command.
 */
export async function toolFromCommand(command: string, helpText: string): Promise<string> {
  const assumed: string[] = [];
  const tool = await inferTool(splitCommand(command), {
    options: parseHelp(helpText),
    helpText,
    kindOf: () => undefined,
    decide: async ({ question, choices, likely }) => {
      assumed.push(`# ${question} Assumed: ${choices[likely]}.\n`.replaceAll(/\s*\n\s*(?=.)/g, " "));
      return likely;
    },
  });
  const text = writeTool(tool, { command, summary: undefined, software: undefined, image: undefined });
  return assumed.join("") + text;
}
