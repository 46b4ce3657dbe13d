// A worker: many sockets that watch all events, in a different thread from the one that measures the server's responses. It
// posts "open" when all have subscribed. After it receives the last number, and all sockets have reached that number, it
// posts what each socket has received.
import { parentPort, workerData } from "node:worker_threads";
import { WebSocket } from "ws";

const { address, count } = workerData;
const watchers = await Promise.all(Array.from({ length: count }, watch));
parentPort.postMessage("open");
parentPort.once("message", async (last) => {
  parentPort.postMessage(await Promise.all(watchers.map((watcher) => watcher.seenUpTo(last))));
  parentPort.close();
});

/** Resolves when the socket has subscribed to all later events. */
function watch() {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${address.replace("http", "ws")}/api/events`, { origin: address });
    const received = { count: 0, faults: 0 };
    let next;
    let reached = () => undefined;
    socket.on("error", reject);
    socket.on("close", (code) => {
      if (code !== 1000) throw new Error(`a watcher was dropped: ${code}`);
    });
    socket.on("message", (data) => {
      const text = String(data);
      if (text.startsWith('{"op":"hello"')) {
        const { last_seq: since } = JSON.parse(text);
        next = since + 1;
        socket.send(JSON.stringify({ op: "subscribe", since }));
        resolve({ seenUpTo });
      }
      // Cheaper than parsing the text: the benchmark should not measure 500 readers on the server's own machine.
      for (const [, seq] of text.matchAll(/[[,]\{"seq":(\d+),/g)) {
        if (Number(seq) !== next) received.faults += 1;
        received.count += 1;
        next = Number(seq) + 1;
      }
      reached();
    });
    const seenUpTo = (last) =>
      new Promise((done) => {
        reached = () => {
          if (next <= last) return;
          socket.close(1000);
          done(received);
        };
        reached();
      });
  });
}
