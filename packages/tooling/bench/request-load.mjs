// node request-load.mjs URL close|keep-alive SECONDS: sends requests over eight connections and prints {count, p99Ms} as JSON. Each
// connection only writes a request and looks for the end of its answer: Node's HTTP clients would take longer than the server.
import { connect } from "node:net";

const CONNECTIONS = 8;
const [url, connection, seconds] = process.argv.slice(2);
const { host, hostname, port, pathname } = new URL(url);
const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: ${connection}\r\n\r\n`;
const endMs = performance.now() + Number(seconds) * 1000;
const times = [];

const sendRequests = connection === "close" ? onNewConnection : onSameConnection;
await Promise.all(Array.from({ length: CONNECTIONS }, sendRequests));
const [slowest] = times.toSorted((one, other) => other - one).slice(Math.floor(times.length / 100));
process.stdout.write(JSON.stringify({ count: times.length, p99Ms: slowest }));

async function onNewConnection() {
  while (performance.now() < endMs) {
    const startMs = performance.now();
    const socket = connect(Number(port), hostname);
    socket.write(request);
    await answerOn(socket);
    socket.destroy();
    times.push(performance.now() - startMs);
  }
}

async function onSameConnection() {
  const socket = connect(Number(port), hostname);
  while (performance.now() < endMs) {
    const startMs = performance.now();
    socket.write(request);
    await answerOn(socket);
    times.push(performance.now() - startMs);
  }
  socket.destroy();
}

/** Resolves when the whole body has arrived: as many bytes as the headers state or, without a length, the last chunk. */
function answerOn(socket) {
  return new Promise((resolve, reject) => {
    let text = "";
    const settle = (act, value) => {
      socket.removeAllListeners();
      act(value);
    };
    socket.on("error", (error) => settle(reject, error));
    socket.on("close", () => settle(reject, new Error("the server closed the connection before its answer")));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const bodyAt = text.indexOf("\r\n\r\n") + 4;
      if (bodyAt < 4) return;
      if (!text.startsWith("HTTP/1.1 200 ")) return settle(reject, new Error(text));
      const length = /^content-length: (\d+)\r$/im.exec(text)?.[1];
      const isWhole = length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length - bodyAt >= Number(length);
      if (isWhole) settle(resolve);
    });
  });
}
