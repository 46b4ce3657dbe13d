import type { IconName } from "../../ui/icon.tsx";
import type { DraftEditing } from "./use-draft-editor.ts";
import { Button, IconButton } from "../../ui/button.tsx";

/** Commands of the text editor, which also undo changes in the drawing. */
export function EditorToolbar({ editing }: { readonly editing: DraftEditing }) {
  const { language, isReady, rewrite } = editing;
  const format = (): void => void rewrite((text) => language.format(text));
  return (
    <div role="toolbar" aria-label="Text" className="flex items-center gap-1 border-b border-line px-2 py-1.5">
      <Tool label="Undo" icon="undo" isReady={isReady} act={editing.undo} />
      <Tool label="Redo" icon="redo" isReady={isReady} act={editing.redo} />
      <Tool label="Find and replace" icon="search" isReady={isReady} act={editing.search} />
      <Button look="quiet" small disabled={!isReady} onClick={format}>
        Format
      </Button>
      <span className="code ml-auto truncate text-small text-soft">{editing.draft.path}</span>
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: IconName;
  readonly isReady: boolean;
  readonly act: () => void;
}

function Tool({ label, icon, isReady, act }: ToolProps) {
  return (
    <IconButton
      label={label}
      icon={icon}
      look="quiet"
      small
      className="max-md:min-h-10 max-md:min-w-10"
      title={label}
      disabled={!isReady}
      onClick={act}
    />
  );
}
