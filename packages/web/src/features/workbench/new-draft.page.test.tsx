import { expect, test } from "vitest";
import { commandWithNames } from "./new-draft.tsx";

test("a command of a job names its files without their folders", () => {
  const command = {
    argv: [
      "/usr/bin/align",
      "-k",
      "3",
      "/tmp/jobs/1/in/reads.fq",
      "--index=/data/a b/index.fa",
      "a/b.txt",
      "http://e.org/x/y",
    ],
    stdin: "/tmp/in.txt",
    stdout: "out.txt",
    stderr: "/srv/weft/state/runs/r1/jobs/align@1/stderr",
  };
  expect(commandWithNames(command)).toEqual({
    argv: ["/usr/bin/align", "-k", "3", "reads.fq", "--index=index.fa", "a/b.txt", "http://e.org/x/y"],
    stdin: "in.txt",
    stdout: "out.txt",
  });
});
