/**
 * Error messages of `docker run` and `podman run` if the container could not be started. Exit codes 125, 126 and 127
 * count only if the last line comes from the engine, because a job's command may use these codes too. The small init,
 * which starts the command, reports a program that the image lacks.
 */
export function ociFailure(program: "docker" | "podman", exitCode: number, stderrTail: string): string | undefined {
  const line = lastLine(stderrTail);
  const missing =
    /^(?:ERROR \(catatonit:\d+\): failed to exec pid1|\[FATAL tini \(\d+\)\] exec (.*) failed): (.*)$/.exec(line);
  if (missing !== null) {
    const name = missing[1] === undefined ? "the program" : `\`${missing[1]}\``;
    return `${name} cannot be run in the image: ${missing[2] ?? ""}`;
  }
  if (exitCode < 125 || exitCode > 127) return undefined;
  const pattern = program === "podman" ? /^Error: (.*)$/m : /^docker: (?:Error response from daemon: )?(.*)$/m;
  const own = pattern.exec(tailOf(stderrTail, 4))?.[1];
  return own === undefined ? undefined : `${program}: ${own}`;
}

/** apptainer and singularity exit with 255 and print a line that begins with the level. */
export function apptainerFailure(program: string, exitCode: number, stderrTail: string): string | undefined {
  if (exitCode !== 255) return undefined;
  const own = /^(?:FATAL|ERROR):\s+(.*)$/m.exec(tailOf(stderrTail, 4))?.[1];
  return own === undefined ? undefined : `${program}: ${own}`;
}

/** The error message of a failed program, as the end of a sentence. */
export function stderrMessage(stderr: string): string {
  // docker's last line offers help.
  const own = stderr.replace(/^Run 'docker .*$/m, "");
  return lastLine(own).replace(/^(?:Error|ERROR|FATAL|docker):\s+/, "") || "it said nothing";
}

function lastLine(text: string): string {
  return tailOf(text, 1);
}

function tailOf(text: string, lines: number): string {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-lines)
    .join("\n");
}
