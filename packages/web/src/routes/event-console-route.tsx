import { useQuery } from "@tanstack/react-query";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import {
  type ReactNode,
  type RefObject,
  type UIEvent,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from "react";
import { eventStreamUrl, openSocket, type SocketPort } from "../api/live/event-socket.ts";
import { runListQuery } from "../api/queries/run-queries.ts";
import {
  EMPTY_CONSOLE,
  consoleReducer,
  filterEntries,
  type ConsoleAction,
  type ConsoleEntry,
} from "../features/event-console/event-log.ts";
import { formatClockTime } from "../format/format-time.ts";
import { Button } from "../ui/button.tsx";
import { Field, Input, TextArea } from "../ui/field.tsx";
import { PlainForm } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { saveFile } from "../ui/save-file.ts";
import { useSearchParam } from "../ui/use-search-param.ts";
import { useToggledSet } from "../ui/use-toggled-set.ts";
import { VirtualList, useVirtualList } from "../ui/virtual-list.tsx";

const SUGGESTED = 50;

/** `/websocketclient?filter=` */
export default function EventConsoleRoute() {
  return (
    <>
      <PageHeading title="Event console" />
      <EventConsole />
    </>
  );
}

/** A console for the event stream: connect, subscribe, watch, send. */
function EventConsole() {
  const socket = useConsoleSocket();
  const [filter, setFilter] = useSearchParam("filter");
  const shown = filterEntries(socket.log.entries, filter);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="space-y-4">
        <ConnectForm socket={socket} />
        <SubscribeForm connected={socket.connected} onSend={socket.send} />
        <TextForm connected={socket.connected} onSend={socket.send} />
      </div>
      <section aria-label="Connection" className="min-w-0">
        <div className="mb-2 flex flex-wrap items-center gap-2">
          <label className="min-w-40 flex-1">
            <span className="sr-only">Filter</span>
            <Input
              placeholder="Filter: text or /regular expression/"
              value={filter}
              onType={(text) => setFilter(text, { replace: true })}
            />
          </label>
          <Button aria-pressed={socket.log.paused} onClick={socket.pause}>
            {socket.log.paused ? `Resume (${numberText(socket.log.held.length)} held)` : "Pause"}
          </Button>
          <Button onClick={socket.clear}>Clear</Button>
          <Button disabled={shown.length === 0} onClick={() => downloadLines(shown)}>
            <Icon name="download" /> .jsonl
          </Button>
        </div>
        <EntryList entries={shown} />
        <Counts shown={shown.length} socket={socket} />
      </section>
    </div>
  );
}

function Counts({ shown, socket: { log, rate } }: { readonly shown: number; readonly socket: ConsoleSocket }) {
  return (
    <p className="mt-2 text-soft tabular-nums">
      {numberText(shown)} of {numberText(log.entries.length)} lines
      {log.dropped > 0 && `, ${numberText(log.dropped)} older ones dropped`} · {rate.toFixed(1)} messages/s
    </p>
  );
}

function ConnectForm({ socket }: { readonly socket: ConsoleSocket }) {
  const [url, setUrl] = useState(eventStreamUrl);
  return (
    <PlainForm
      className="card space-y-3 p-4"
      onSubmit={() => (socket.connected ? socket.disconnect() : socket.connect(url))}
    >
      <Field label="Address">
        <Input className="code" value={url} spellCheck={false} onType={setUrl} />
      </Field>
      <div className="flex items-center gap-3">
        <Button type="submit" look={socket.connected ? "plain" : "primary"}>
          {socket.connected ? "Disconnect" : "Connect"}
        </Button>
        <span role="status" className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-2 rounded-full ${socket.connected ? "bg-success" : "bg-edge"}`} />
          {socket.connected ? "Connected" : "Not connected"}
        </span>
      </div>
    </PlainForm>
  );
}

function downloadLines(entries: readonly ConsoleEntry[]): void {
  const lines = entries.map(({ text }) => `${text}\n`).join("");
  saveFile(lines, { name: "events.jsonl", type: "application/x-ndjson" });
}

interface SendFormProps {
  readonly connected: boolean;
  readonly onSend: (text: string) => void;
}

function SubscribeForm({ connected, onSend }: SendFormProps) {
  const { data } = useQuery(runListQuery({ page_size: SUGGESTED }));
  const subscribe = (form: FormData): void => {
    const [runId, since] = [String(form.get("run") ?? "").trim(), String(form.get("since") ?? "").trim()];
    // JSON has no undefined values.
    const request = { run_id: runId || undefined, since: since === "" ? undefined : Number(since) };
    onSend(JSON.stringify({ op: "subscribe", ...request }));
  };
  return (
    <PlainForm className="card space-y-3 p-4" onSubmit={subscribe}>
      <h2>Subscribe</h2>
      <label className="block">
        <span className="mb-1 block">Run ID (all if empty)</span>
        <Input code name="run" proposals={data?.runs.map(({ run_id: id, name }) => ({ id, label: name })) ?? []} />
      </label>
      <label className="block">
        <span className="mb-1 block">Start after event # (live if empty)</span>
        <Input name="since" inputMode="numeric" pattern="\d*" autoComplete="off" />
      </label>
      <div className="flex gap-2">
        <Button type="submit" disabled={!connected}>
          Subscribe
        </Button>
        <Button disabled={!connected} onClick={() => onSend('{"op":"unsubscribe"}')}>
          Unsubscribe
        </Button>
      </div>
    </PlainForm>
  );
}

function TextForm({ connected, onSend }: SendFormProps) {
  const [text, setText] = useState('{"op":"ping"}');
  return (
    <PlainForm className="card space-y-3 p-4" onSubmit={() => onSend(text)}>
      <Field label="Send">
        <TextArea code rows={3} value={text} onType={setText} />
      </Field>
      <Button type="submit" disabled={!connected || text.trim() === ""}>
        Send
      </Button>
    </PlainForm>
  );
}

/** Height of a collapsed line with its border. */
const LINE_PX = 27;

/** The distance from the end within which the view follows new lines. */
const END_PX = 40;

/** The stream, newest at the bottom; a line expands to indented JSON. Only visible lines are drawn. */
function EntryList({ entries }: { readonly entries: readonly ConsoleEntry[] }) {
  const list = useVirtualList({ count: entries.length, itemPx: LINE_PX, keyOf: (index) => entries[index]?.id });
  const onScroll = useFollowEnd(list.box);
  const [open, toggle] = useToggledSet<number>();
  const renderItem = (index: number): ReactNode => {
    const entry = entries[index];
    return (
      entry !== undefined && <EntryRow entry={entry} open={open.has(entry.id)} onToggle={() => toggle(entry.id)} />
    );
  };
  return (
    <VirtualList
      list={list}
      tabIndex={0}
      role="region"
      aria-label="Received and sent messages"
      className="card code h-[min(38rem,70vh)]"
      onScroll={onScroll}
      empty={<p className="p-4 font-sans text-soft">Connect, then subscribe to see events here.</p>}
      renderItem={renderItem}
    />
  );
}

const MARKS = { received: "←", sent: "→", note: "·" } as const;

interface EntryRowProps {
  readonly entry: ConsoleEntry;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function EntryRow({ entry, open, onToggle }: EntryRowProps) {
  return (
    <div className="border-b border-line/60">
      <Button
        look="bare"
        aria-expanded={open}
        className="flex h-6.5 w-full items-center gap-3 px-3 text-left -outline-offset-2 hover:bg-sunken"
        onClick={onToggle}
      >
        <span className="text-soft">
          <span aria-hidden="true">{MARKS[entry.direction]}</span>
          <span className="sr-only">{entry.direction}</span>
        </span>
        <span className="w-14 shrink-0 text-right tabular-nums">{entry.seq}</span>
        <span className="shrink-0 text-soft tabular-nums">{formatClockTime(entry.time)}</span>
        <span className="w-32 shrink-0 truncate font-semibold">{entry.type}</span>
        <span className="truncate text-soft">{entry.text}</span>
      </Button>
      {open && <pre className="bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-wrap">{indented(entry.text)}</pre>}
    </div>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(parseExactJson(text), null, 2);
  } catch {
    return text; // text that is not JSON is shown unchanged
  }
}

/** Keeps a scroll box at its end after every render, until the user scrolls up. Returns the handler for scrolling. */
function useFollowEnd(box: RefObject<HTMLDivElement | null>): (event: UIEvent<HTMLDivElement>) => void {
  const [following, setFollowing] = useState(true);
  useLayoutEffect(() => {
    if (following) box.current?.scrollTo({ top: box.current.scrollHeight });
  });
  return ({ currentTarget }) =>
    setFollowing(currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < END_PX);
}

const RATE_WINDOW_MS = 5000;

type ConsoleSocket = ReturnType<typeof useConsoleSocket>;

/**
 * A separate connection for the console: one at a time, which closes with the page. The server greets first, so the
 * first message proves the connection.
 */
function useConsoleSocket() {
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
