import { useMutation } from "@tanstack/react-query";
import type { CommitResult } from "@weft/shared/records/commit-record.ts";
import type { PublishedVersion } from "@weft/shared/records/draft-record.ts";
import { api } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { Refusal } from "../ui/form.tsx";
import { Modal } from "../ui/modal.tsx";

interface CommitDialogProps {
  readonly versions: readonly PublishedVersion[];
  readonly onClose: () => void;
}

/** Offers to commit the newly published versions, and shows the output of git. */
export default function CommitDialog({ versions, onClose }: CommitDialogProps) {
  const named = versions.map(({ kind, id, version }) => ({ kind, id, version }));
  const commit = useMutation({ mutationFn: () => api("POST /api/commits", { body: { versions: named } }) });
  const names = versions.slice(0, 5).map(({ id, version }) => `${id} ${version}`);
  return (
    <Modal title="Commit to git?" onClose={onClose}>
      {commit.data === undefined ? (
        <div className="space-y-3">
          <p>
            Published {names.join(", ")}
            {versions.length > 5 ? ` and ${versions.length - 5} more` : ""}. The catalog is in a git work tree. The
            commit has only these versions, and you as its author.
          </p>
          <Refusal of={commit.error} />
          <div className="flex gap-2">
            <Button look="primary" disabled={commit.isPending} onClick={() => commit.mutate()}>
              {commit.isPending ? "Committing…" : "Commit"}
            </Button>
            <Button onClick={onClose}>Not now</Button>
          </div>
        </div>
      ) : (
        <Outcome result={commit.data} onClose={onClose} />
      )}
    </Modal>
  );
}

const WORDS = {
  committed: "Committed.",
  unchanged: "These versions were committed before.",
  failed: "Git made no commit, but the versions are published.",
} as const;

function Outcome({ result, onClose }: { readonly result: CommitResult; readonly onClose: () => void }) {
  return (
    <div className="space-y-3">
      <p role="status" className={result.state === "failed" ? "text-failed" : ""}>
        {WORDS[result.state]} {result.commit !== null && <span className="code">{result.commit.slice(0, 12)}</span>}
      </p>
      <pre tabIndex={0} aria-label="Output of git" className="card code max-h-60 overflow-auto p-3 whitespace-pre-wrap">
        {result.output}
      </pre>
      <Button look="primary" onClick={onClose}>
        Continue
      </Button>
    </div>
  );
}
