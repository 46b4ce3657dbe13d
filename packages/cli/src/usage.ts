export const USAGE = `weft: runs CWL workflows

  weft serve [--host H] [--port P] [--base-url URL] [--catalog DIR] [--state DIR] [--shared DIR] [--data NAME=DIR]… [--sink NAME=DIR]…
             [--jobs N] [--backend local|slurm|tes] [--container ENGINE] [--sandbox HOW]
             [--eval-timeout SECONDS] [--limit NAME=N]… [--allow-http HOST[,HOST…]] [--max-download-bytes N]
             [--auth none|token|oidc] [--private-runs] [--peer-user USER]… [--let-everybody-in]
             [--oidc-issuer URL --oidc-audience NAME] [--oidc-name-claim CLAIM] [--oidc-role-claim CLAIM]
             [--oidc-role-map ROLE=VALUE]… [--behind-proxy] [--trust-proxy ADDRESS]…
             [--read-rate N] [--write-rate N] [--max-open-runs N] [--max-upload-bytes N] [--no-control-groups]
      serves the web application and the API; the last word of the line on standard output is the address
  weft run [--outdir DIR] [--quiet] [--jobs N] [--backend local|slurm|tes] [--state DIR] [--container ENGINE]
           [--sandbox HOW] [--eval-timeout SECONDS] [--limit NAME=N]… [--allow-http HOST[,HOST…]] [--max-download-bytes N] [--plan [--json]] [--provenance DIR]
           [--sidecar] DOCUMENT[#id] [INPUTS]
      runs one CWL document; the output object is written to standard output as JSON; with --plan nothing is started:
      the steps, and the command line, container and resources of every job that is known now, are written instead;
      with --provenance a crate of the run (what it read, did and wrote, with all files) is written to DIR, also when
      the run fails; with --sidecar it is written beside each output where that comes from (a.nii.prov.json, W3C PROV)
  weft validate DOCUMENT…
      checks documents; errors as file:line:column: message
  weft token create --name NAME --role viewer|runner|admin [--expires 90d|12h|never] [--state DIR]
  weft token list [--state DIR]
  weft token revoke NAME [--state DIR]
      makes, lists and revokes tokens, each with a name and a role; a running server heeds it at once
  weft audit [--state DIR]
      checks that no entry of the audit log was changed or taken out, and tells its last hash
  weft backup [--state DIR] [--with-files] TARGET
      copies the log of a state folder, while its server works; with files: uploads and what runs have written as well
  weft restore BACKUP --state DIR
      checks a backup and makes a new state folder of it
  weft verify [--log-only] [--data NAME=DIR]… [--catalog DIR] [--head NUMBER:HASH] [STATE|CRATE]
      reads a state folder or an unpacked crate again and tells every event, document and file that was changed since it
      was recorded; what its last line prints, noted elsewhere, proves later that nothing was changed or taken away
  weft import [--state DIR] CRATE
      takes in a run that was made elsewhere from its crate, a folder or a zip, beside the working server if need be: it can
      be searched, compared and reproduced; a crate that was changed is refused. Prints the run's id here
  weft reproduce [--state DIR] [--relative N] [--absolute N] [--json] [--quiet] RUN
  weft reproduce [--outdir DIR] [--jobs N] [--container ENGINE] [--relative N] [--absolute N] [--json] [--quiet] CRATE
      runs again what a run of the working server with that state folder was, or what the crate (a folder or a zip) of any
      run holds, on this machine; tells whether each output is identical, within the tolerance of its numbers or different.
      Exits with 0 if none is different, 1 if one is or the new run failed, 3 if nothing could be run again (a crate that was
      changed, an unknown run)
  weft prune [--state DIR] [--older-than 30d] [--intermediate] [--uploads] [--downloads] [--yes] [--json]
  weft prune [--state DIR] --run ID [--intermediate] [--logs] [--outputs] [--all] [--yes] [--json]
      shows what ended runs left on disk and what of it can go; removes it with --yes. The server may be working
  weft --version | --help | help COMMAND

ENGINE is auto (the first that works), docker, podman, apptainer, singularity or none; --no-container is none: tools that
ask for a container run with the programs of this machine. HOW says whether other tools see the system read-only, their own
folders and no network but by request: auto (where bubblewrap works; the default of serve), required or none (the default of
run). --no-control-groups: jobs are not put into control groups.
--backend slurm: jobs run on a cluster, whose nodes see the folder --shared; the key "slurm" of weft.config.json says how
(docs/backends/slurm.md). --backend tes: jobs run at a GA4GH TES server, whose workers see that folder; the key "tes" says where
(docs/backends/tes.md).
Every flag has an environment variable (WEFT_PORT for --port) and a key in weft.config.json; the flag wins.
`;

/** The part about one command, and the notes where it speaks of what they explain; undefined where there is no such command. */
export function usageOf(command: string | undefined): string | undefined {
  const [, ...lines] = USAGE.trimEnd().split("\n");
  const notesAt = lines.findIndex((line) => /^\S/.test(line));
  let of: string | undefined;
  const own = lines.slice(0, notesAt).filter((line) => {
    of = /^ {2}weft (\S+)/.exec(line)?.[1] ?? of;
    return /^[a-z]+$/.test(of ?? "") && of === command;
  });
  if (own.length === 0) return undefined;
  const notes = own.some((line) => /ENGINE|HOW|--backend/.test(line)) ? ["", ...lines.slice(notesAt)] : [];
  return `${[...own, ...notes].join("\n")}\n`;
}
