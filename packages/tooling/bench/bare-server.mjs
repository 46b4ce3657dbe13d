// The baseline of a route's measurement: nothing but node:http, answering every request with the bytes of the file it
// is given.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const body = readFileSync(process.argv[2]);
const server = createServer((_request, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end(body),
);
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`));
process.on("SIGTERM", () => process.exit(0));
