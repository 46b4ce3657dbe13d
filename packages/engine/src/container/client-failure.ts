/**
 * What `docker run` and `podman run` say of themselves where the container could not be started: with 125, 126 and 127
 * when the last line is theirs, since a job's command may end with those codes too; and through the small init, which
 * starts the command, when there is no such program in the image.
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

/** apptainer and singularity end with 255 and a line that begins with the level. */
export function apptainerFailure(program: string, exitCode: number, stderrTail: string): string | undefined {
  if (exitCode !== 255) return undefined;
  const own = /^(?:FATAL|ERROR):\s+(.*)$/m.exec(tailOf(stderrTail, 4))?.[1];
  return own === undefined ? undefined : `${program}: ${own}`;
}

/** The words of a program that failed, as half a sentence. */
export function saidBy(stderr: string): string {
  // docker ends with an offer of help.
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
