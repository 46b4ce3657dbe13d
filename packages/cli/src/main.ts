import { runCli } from "./run-cli.ts";

// A reader of the output may stop early (`weft help | head`). The command still ends as it would.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
process.exitCode = await runCli(process.argv.slice(2));
