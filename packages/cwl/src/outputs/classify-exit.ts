import type { CommandLineTool } from "../model/process.ts";

export type ExitClass = "success" | "temporaryFail" | "permanentFail";

/**
 * The meaning of an exit code. The lists of the tool take precedence; otherwise 0 means success, and any other code a
 * permanent failure. CWL v1.2 CommandLineTool.html#CommandLineTool, `successCodes`, `temporaryFailCodes`, `permanentFailCodes`.
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
