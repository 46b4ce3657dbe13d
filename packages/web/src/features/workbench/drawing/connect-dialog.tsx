import { Modal } from "../../../ui/modal.tsx";
import type { Way } from "../language/network-gestures.ts";
import { wayText } from "./way-text.ts";

interface ConnectDialogProps {
  readonly ways: readonly Way[];
  readonly onChoose: (way: Way) => void;
  readonly onClose: () => void;
}

/** A line can mean several connections, or one that changes more than the link. */
export function ConnectDialog({ ways, onChoose, onClose }: ConnectDialogProps) {
  const byPort = Map.groupBy(ways, ({ source, place }) => `${source} → ${place.port}`);
  return (
    <Modal title="How should they be connected?" onClose={onClose}>
      {[...byPort].map(([title, choices]) => (
        <section key={title} aria-label={title} className="not-first:mt-3">
          <h3 className="code">{title}</h3>
          <ul className="mt-1.5 space-y-1.5">
            {choices.map((way) => (
              <li key={way.kind}>
                <button
                  type="button"
                  className="btn h-auto min-h-10 w-full justify-start py-1.5 text-left wrap-anywhere whitespace-normal"
                  onClick={() => onChoose(way)}
                >
                  {wayText(way)}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Modal>
  );
}
