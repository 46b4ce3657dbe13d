// The baseline for measuring a route: nothing but node:http, which answers every request with the bytes of one
// given file.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const body = readFileSync(process.argv[2]);
const server = createServer((_request, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end(body),
);
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`));
process.on("SIGTERM", () => process.exit(0));
