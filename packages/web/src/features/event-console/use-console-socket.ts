import { useEffect, useReducer, useRef, useState } from "react";
import { type SocketPort, openSocket } from "../../api/live/event-socket.ts";
import { type ConsoleAction, type ConsoleEntry, EMPTY_CONSOLE, consoleReducer } from "./event-log.ts";

const RATE_WINDOW_MS = 5000;

export type ConsoleSocket = ReturnType<typeof useConsoleSocket>;

/**
 * A separate connection for the console: one at a time, which closes with the page. The server greets first, so the
 * first message proves the connection.
 */
export function useConsoleSocket() {
  const [log, dispatch] = useReducer(consoleReducer, EMPTY_CONSOLE);
  const { rate, count } = useRate();
  const [connected, setConnected] = useState(false);
  const socket = useRef<SocketPort | undefined>(undefined);
  useEffect(() => () => socket.current?.close(), []);
  const write = (direction: ConsoleEntry["direction"], text: string): void =>
    dispatch({ kind: "message", direction, text, time: new Date().toISOString() });
  const lose = (note: string): void => {
    setConnected(false);
    socket.current = undefined;
    write("note", note);
  };
  const received = (data: unknown): void => {
    setConnected(true);
    count();
    write("received", String(data));
  };
  const connect = (url: string): void => {
    socket.current?.close();
    write("note", `Connecting to ${url}`);
    try {
      socket.current = openSocket(url, { received, closed: () => lose("The connection is closed") });
    } catch (error) {
      lose(error instanceof Error ? error.message : String(error));
    }
  };
  const disconnect = (): void => {
    socket.current?.close();
    lose("Disconnected");
  };
  const send = (text: string): void => {
    socket.current?.send(text);
    write("sent", text);
  };
  /** `rate`: messages per second, over the last five seconds. */
  return { ...{ log, connected, rate, connect, disconnect, send }, ...actionsOf(dispatch) };
}

function actionsOf(dispatch: (action: ConsoleAction) => void) {
  return { pause: () => dispatch({ kind: "pause" }), clear: () => dispatch({ kind: "clear" }) };
}

function useRate(): { readonly rate: number; readonly count: () => void } {
  const times = useRef<number[]>([]);
  const [rate, setRate] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      const now = Date.now();
      times.current = times.current.filter((time) => now - time < RATE_WINDOW_MS);
      setRate(times.current.length / (RATE_WINDOW_MS / 1000));
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return { rate, count: () => void times.current.push(Date.now()) };
}
