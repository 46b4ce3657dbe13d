import type { CommandLineTool } from "../model/process.ts";

export type ExitClass = "success" | "temporaryFail" | "permanentFail";

/**
 * The meaning of an exit code. Codes that the tool lists decide, otherwise 0 is success and all else a permanent
 * failure. CWL v1.2 CommandLineTool.html#CommandLineTool, `successCodes` and its neighbours.
 */
export function classifyExit(
  tool: Pick<CommandLineTool, "successCodes" | "temporaryFailCodes" | "permanentFailCodes">,
  exitCode: number,
): ExitClass {
  if (tool.successCodes.includes(exitCode)) return "success";
  if (tool.temporaryFailCodes.includes(exitCode)) return "temporaryFail";
  if (tool.permanentFailCodes.includes(exitCode)) return "permanentFail";
  return exitCode === 0 ? "success" : "permanentFail";
}
