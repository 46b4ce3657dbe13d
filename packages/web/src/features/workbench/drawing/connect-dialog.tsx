import { Modal } from "../../../ui/modal.tsx";
import type { Connection } from "../language/network-gestures.ts";
import { FIT_TEXTS } from "./link-of.ts";

interface ConnectDialogProps {
  readonly connections: readonly Connection[];
  readonly onChoose: (connection: Connection) => void;
  readonly onClose: () => void;
}

/** A line between two nodes can mean several connections. */
export function ConnectDialog({ connections, onChoose, onClose }: ConnectDialogProps) {
  return (
    <Modal title="What should be connected?" onClose={onClose}>
      <ul className="divide-y divide-line">
        {connections.map((connection) => {
          const { port, choice } = connection;
          return (
            <li key={`${choice.source} ${port.name}`}>
              <button
                type="button"
                className="flex min-h-10 w-full flex-wrap items-baseline gap-x-2 rounded px-2 py-1.5 text-left hover:bg-accent-soft"
                onClick={() => onChoose(connection)}
              >
                <span className="code">
                  {choice.source} → {port.name}
                </span>
                <span className="ml-auto text-[0.8125rem] text-soft">{FIT_TEXTS[choice.fit]}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </Modal>
  );
}
