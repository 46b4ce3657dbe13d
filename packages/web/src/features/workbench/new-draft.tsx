import { useMutation, useQuery } from "@tanstack/react-query";
import type { CreateDraft, DraftSummary, ProcessKind } from "@weft/shared/records/draft-record.ts";
import type { Command } from "@weft/shared/records/job-record.ts";
import { shellLine } from "@weft/shared/records/shell-line.ts";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { createDraft, draftListQuery } from "../../api/queries/draft-queries.ts";
import { jobQuery } from "../../api/queries/job-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input, TextArea } from "../../ui/field.tsx";
import { Form, Refusal } from "../../ui/form.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { NameLink } from "../../ui/text-link.tsx";

interface NewDraftBody extends CreateDraft {
  /** A command line to make the tool from, and the help of its program. */
  readonly command?: { readonly line: string; readonly help: string };
}

async function withText({ command, ...body }: NewDraftBody): Promise<CreateDraft> {
  if (command === undefined || command.line.trim() === "") return body;
  const { toolFromCommand } = await import("./language/tool-from-command.ts");
  return { ...body, text: await toolFromCommand({ id: body.id, ...command }) };
}

/** Creates a draft and opens it. */
function useCreateDraft() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (body: NewDraftBody) => createDraft(await withText(body)),
    onSuccess: (draft) => void navigate(`/drafts/${draft.draft_id}`),
  });
}

/** Begins a tool or network that does not exist yet. */
export function NewDraft({ kind, command = "" }: { readonly kind: ProcessKind; readonly command?: string }) {
  const [id, setId] = useState("");
  const create = useCreateDraft();
  const submit = (form: FormData): void => {
    const text = (name: string): string => String(form.get(name) ?? "");
    create.mutate({ kind, id, ...(kind === "tool" ? { command: { line: text("command"), help: text("help") } } : {}) });
  };
  return (
    <Form
      className="card max-w-140 space-y-3 p-4"
      submitLabel="Create draft"
      isPending={create.isPending}
      refusal={create.error}
      onSubmit={submit}
    >
      <Field label={<>ID of the {kind}</>}>
        <Input
          code
          value={id}
          required
          maxLength={128}
          pattern="[a-z0-9][a-z0-9._\-]*"
          aria-describedby="id-hint"
          onType={(text) => setId(text.toLowerCase().replaceAll(/\s+/g, "-"))}
        />
      </Field>
      <p id="id-hint" className="text-soft">
        Lower-case letters, digits, ".", "_" and "-". Used as the folder name in the catalog.
      </p>
      {kind === "tool" && <CommandFields command={command} />}
    </Form>
  );
}

/** A working command is the quickest way to a tool. */
function CommandFields({ command }: { readonly command: string }) {
  return (
    <>
      <Field label="Command line (optional)">
        <TextArea
          code
          className="min-h-16"
          name="command"
          defaultValue={command}
          aria-describedby="command-hint"
          placeholder="sort -k 2 names.txt > sorted.txt"
        />
      </Field>
      <p id="command-hint" className="text-soft">
        A working command line. Weft creates inputs and outputs from its options and files.
      </p>
      <details>
        <summary className="cursor-pointer text-soft">Help text of the program</summary>
        <label className="mt-2 block">
          <span className="mb-1 block">The output of the program with --help, which describes its options</span>
          <TextArea code className="min-h-24" name="help" />
        </label>
      </details>
    </>
  );
}

interface EditVersionProps {
  readonly kind: ProcessKind;
  readonly id: string;
  readonly version: string;
}

/** Begins a draft from a published version. */
export function EditVersion({ kind, id, version }: EditVersionProps) {
  const create = useCreateDraft();
  return (
    <div className="space-y-3">
      <p>Published versions never change. Edit a copy, try it, and publish it as a new version.</p>
      <Refusal of={create.error} />
      <Button look="primary" disabled={create.isPending} onClick={() => create.mutate({ kind, id, based_on: version })}>
        Start a new draft
      </Button>
    </div>
  );
}

interface DraftsProps {
  readonly isShown: (draft: DraftSummary) => boolean;
}

/** The drafts to continue; renders nothing if there are none. */
export function Drafts({ isShown }: DraftsProps) {
  const { data } = useQuery(draftListQuery());
  const shown = data?.drafts.filter(isShown) ?? [];
  if (shown.length === 0) return null;
  return (
    <TitledSection title="Continue a draft">
      <ul className="card divide-y divide-line">
        {shown.map((draft) => (
          <li key={draft.draft_id} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2.5">
            <NameLink to={`/drafts/${draft.draft_id}`}>{draft.id}</NameLink>
            <span className="text-soft">
              {draft.based_on === null ? "new" : `based on ${draft.based_on}`}, changed by {draft.updated_by}{" "}
              <TimeAgo time={draft.updated_at} />
            </span>
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

/** Replaces paths of files, which are meaningless outside of the job, with names. */
export function commandWithNames({
  argv,
  stdin,
  stdout,
  stderr,
}: Pick<Command, "argv" | "stdin" | "stdout" | "stderr">) {
  const nameOf = (word: string): string => word.replaceAll(/(?<=^|=)\/(?:[^/=:]+\/)+(?=[^/=:]+$)/g, "");
  const [program = "", ...others] = argv;
  return {
    argv: [program, ...others.map(nameOf)],
    ...(stdin === undefined ? {} : { stdin: nameOf(stdin) }),
    ...(stdout === undefined || isLog(stdout, "stdout") ? {} : { stdout: nameOf(stdout) }),
    ...(stderr === undefined || isLog(stderr, "stderr") ? {} : { stderr: nameOf(stderr) }),
  };
}

/** True for the log that Weft keeps next to the output directory if a tool does not redirect a stream. */
function isLog(path: string, name: "stdout" | "stderr"): boolean {
  return path === name || (path.endsWith(`/${name}`) && !path.endsWith(`/out/${name}`));
}

/** The command line of a job with the names of its files instead of their paths; undefined until it is known. */
export function useCommandOfJob(runId: string, jobId: string): string | undefined {
  const isAsked = runId !== "" && jobId !== "";
  const job = useQuery({ ...jobQuery(runId, jobId), enabled: isAsked });
  if (!isAsked) return "";
  if (job.data === undefined) return job.isError ? "" : undefined;
  const { command } = job.data;
  return command === undefined || command === null ? "" : shellLine(commandWithNames(command));
}
