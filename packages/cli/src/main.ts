import { runCli } from "./run-cli.ts";

// Whoever reads the output may stop early (`weft help | head`); the command still ends as it would.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
process.exitCode = await runCli(process.argv.slice(2));
