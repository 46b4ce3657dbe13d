import { Button } from "../../ui/button.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";

interface RestoredNoteProps {
  readonly savedAt: string;
  readonly onDiscard: () => void;
}

/** Says that the form shows a draft of an earlier visit. */
export function RestoredNote({ savedAt, onDiscard }: RestoredNoteProps) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-soft">
      <span>
        Restored your draft from <TimeAgo time={savedAt} />.
      </span>
      <Button small onClick={onDiscard}>
        Discard
      </Button>
    </p>
  );
}
