import { useEffect, useReducer, useRef, useState } from "react";
import { type SocketPort, openSocket } from "../../api/live/event-socket.ts";
import { type ConsoleEntry, type ConsoleState, EMPTY_CONSOLE, consoleReducer } from "./event-log.ts";

export interface ConsoleSocket {
  readonly log: ConsoleState;
  readonly connected: boolean;
  /** Messages per second, over the last five seconds. */
  readonly rate: number;
  readonly connect: (url: string) => void;
  readonly disconnect: () => void;
  readonly send: (text: string) => void;
  readonly pause: () => void;
  readonly clear: () => void;
}

const RATE_WINDOW_MS = 5000;

/** A separate connection for the console. */
export function useConsoleSocket(): ConsoleSocket {
  const [log, dispatch] = useReducer(consoleReducer, EMPTY_CONSOLE);
  const { rate, count } = useRate();
  const write = (direction: ConsoleEntry["direction"], text: string): void =>
    dispatch({ kind: "message", direction, text, time: new Date().toISOString() });
  const { connected, open, close, send } = useSocket({
    onMessage: (text) => {
      count();
      write("received", text);
    },
    onNote: (text) => write("note", text),
  });
  return {
    log,
    connected,
    rate,
    connect: open,
    disconnect: close,
    send: (text) => {
      send(text);
      write("sent", text);
    },
    pause: () => dispatch({ kind: "pause" }),
    clear: () => dispatch({ kind: "clear" }),
  };
}

interface SocketEvents {
  readonly onMessage: (text: string) => void;
  readonly onNote: (text: string) => void;
}

/** One WebSocket at a time; it closes with the page. The server greets first, so the first message proves the connection. */
function useSocket({ onMessage, onNote }: SocketEvents) {
  const [connected, setConnected] = useState(false);
  const socket = useRef<SocketPort | undefined>(undefined);
  useEffect(() => () => socket.current?.close(), []);
  const lose = (note: string): void => {
    setConnected(false);
    socket.current = undefined;
    onNote(note);
  };
  const received = (data: unknown): void => {
    setConnected(true);
    onMessage(String(data));
  };
  const open = (url: string): void => {
    socket.current?.close();
    onNote(`Connecting to ${url}`);
    try {
      socket.current = openSocket(url, { received, closed: () => lose("The connection is closed") });
    } catch (error) {
      lose(error instanceof Error ? error.message : String(error));
    }
  };
  const close = (): void => {
    socket.current?.close();
    lose("Disconnected");
  };
  return { connected, open, close, send: (text: string): void => socket.current?.send(text) };
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
