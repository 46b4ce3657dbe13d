import { basePath } from "../base-path.ts";
import type { SocketListener, SocketPort } from "./event-socket.ts";

/** ws:// or wss:// address of the event stream of this server. */
export function eventStreamUrl(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${basePath}/api/events`;
}

/** Opens the browser's WebSocket. Throws for an invalid address. */
export function openSocket(url: string, listener: SocketListener): SocketPort {
  const socket = new WebSocket(url);
  const stop = new AbortController();
  socket.addEventListener("message", (event) => listener.received(event.data), { signal: stop.signal });
  socket.addEventListener("close", () => listener.closed(), { signal: stop.signal });
  return {
    send: (text) => socket.send(text),
    close: () => {
      stop.abort();
      socket.close();
    },
  };
}
