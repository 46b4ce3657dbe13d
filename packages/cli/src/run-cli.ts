import { SandboxUnusable } from "@weft/engine/sandbox/sandbox-unusable.ts";
import { EXIT } from "./exit-codes.ts";
import { VERSION } from "./version.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = `weft: runs CWL workflows

  weft serve [--host H] [--port P] [--base-url URL] [--catalog DIR] [--state DIR] [--shared DIR] [--data NAME=DIR]… [--sink NAME=DIR]…
             [--jobs N] [--backend local|slurm|tes] [--container ENGINE] [--sandbox HOW]
             [--eval-timeout SECONDS] [--allow-http HOST[,HOST…]] [--max-download-bytes N]
             [--auth none|token|oidc] [--private-runs] [--peer-user USER]… [--let-everybody-in]
             [--oidc-issuer URL --oidc-audience NAME] [--oidc-name-claim CLAIM] [--oidc-role-claim CLAIM]
             [--oidc-role-map ROLE=VALUE]… [--behind-proxy] [--trust-proxy ADDRESS]…
             [--read-rate N] [--write-rate N] [--max-open-runs N] [--max-upload-bytes N] [--no-control-groups]
      serves the web application and the API; the last word of the line on standard output is the address
  weft run [--outdir DIR] [--quiet] [--jobs N] [--backend local|slurm|tes] [--state DIR] [--container ENGINE]
           [--sandbox HOW] [--eval-timeout SECONDS] [--allow-http HOST[,HOST…]] [--max-download-bytes N] [--plan [--json]] [--provenance DIR] DOCUMENT[#id] [INPUTS]
      runs one CWL document; the output object is written to standard output as JSON; with --plan nothing is started:
      the steps, and the command line, container and resources of every job that is known now, are written instead;
      with --provenance a crate of the run (what it read, did and wrote, with all files) is written to DIR, also when
      the run fails
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
  weft --version | --help

ENGINE is auto (the first that works), docker, podman, apptainer, singularity or none; --no-container is none: tools that
ask for a container run with the programs of this machine. HOW says whether other tools see the system read-only, their own
folders and no network but by request: auto (where bubblewrap works; the default of serve), required or none (the default of
run). --no-control-groups: jobs are not put into control groups.
--backend slurm: jobs run on a cluster, whose nodes see the folder --shared; the key "slurm" of weft.config.json says how
(docs/backends/slurm.md). --backend tes: jobs run at a GA4GH TES server, whose workers see that folder; the key "tes" says where
(docs/backends/tes.md).
Every flag has an environment variable (WEFT_PORT for --port) and a key in weft.config.json; the flag wins.
`;

/** Carries out one command line and answers the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  try {
    switch (command) {
      case "serve":
        return await (await import("./serve-command.ts")).serveCommand(rest);
      case "run":
        return await (await import("./run-command.ts")).runCommand(rest);
      case "validate":
        return await (await import("./validate-command.ts")).validateCommand(rest);
      case "token":
        return await (await import("./token-command.ts")).tokenCommand(rest);
      case "audit":
        return await (await import("./audit-command.ts")).auditCommand(rest);
      case "backup":
        return await (await import("./backup-command.ts")).backupCommand(rest);
      case "restore":
        return await (await import("./restore-command.ts")).restoreCommand(rest);
      case "verify":
        return await (await import("./verify-command.ts")).verifyCommand(rest);
      case "import":
        return await (await import("./import-command.ts")).importCommand(rest);
      case "reproduce":
        return await (await import("./reproduce-command.ts")).reproduceCommand(rest);
      case "prune":
        return await (await import("./prune-command.ts")).pruneCommand(rest);
      case "--version":
      case "version":
        process.stdout.write(`weft ${VERSION}\n`);
        return EXIT.success;
      case "--help":
      case "-h":
      case "help":
        process.stdout.write(USAGE);
        return EXIT.success;
      default:
        process.stderr.write(command === undefined ? USAGE : `weft: there is no command "${command}"\n\n${USAGE}`);
        return EXIT.usage;
    }
  } catch (error) {
    if (error instanceof SandboxUnusable) {
      process.stderr.write(`weft: ${error.message}\n`);
      return EXIT.configuration;
    }
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`weft: ${error.message}\nTry "weft --help".\n`);
    return EXIT.usage;
  }
}
