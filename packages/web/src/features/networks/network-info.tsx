import type { Network } from "@weft/shared/records/process-record.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { ownUrl } from "../../api/base-path.ts";
import { DocText } from "../../components/markdown/markdown-view.tsx";
import { importedFacts } from "../../components/process-link.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { type Fact, Facts, TitledSection } from "../../ui/titled-section.tsx";

/** Identity, statistics and addresses of a network. */
export function NetworkInfo({ network }: { readonly network: Network }) {
  const url = ownUrl(network.url);
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <TitledSection title="Document" card>
        <Facts facts={identityOf(network, url)} />
        <div className="mt-3">
          <CopyButton label="Copy as curl" text={`curl -H 'Accept: application/cwl+json' '${location.origin}${url}'`} />
        </div>
      </TitledSection>
      <TitledSection title="Statistics" card>
        <Facts facts={statsOf(network.stats)} />
      </TitledSection>
    </div>
  );
}

function identityOf(network: Network, url: string): readonly Fact[] {
  return [
    ["ID", network.id],
    ["Version", network.version ?? "unversioned"],
    ...importedFacts(network),
    ["CWL", network.cwl_version ?? "unknown"],
    [
      "Digest",
      <span key="digest" className="code">
        {network.digest}
      </span>,
    ],
    [
      "REST",
      <a key="rest" className="link code" href={url}>
        {url}
      </a>,
    ],
  ];
}

function statsOf(stats: Network["stats"]): readonly Fact[] {
  return [
    ["Runs", stats.runs],
    ["Last run", stats.last_run_at === null ? "never" : <TimeAgo key="last" time={stats.last_run_at} />],
    ["Typical duration", stats.median_duration_ms === null ? "–" : formatDuration(stats.median_duration_ms)],
  ];
}

/** The id, and the description folded behind its first paragraph. */
export function NetworkIntro({ network }: { readonly network: Network }) {
  const [first = "", ...rest] = (network.doc ?? "").trim().split(/\n\s*\n/);
  return (
    <div className="mb-4">
      <p className="code mb-1 text-soft">{network.id}</p>
      <DocText text={first} />
      {rest.length > 0 && (
        <details className="mt-1">
          <summary className="w-fit cursor-pointer text-soft hover:text-ink">More</summary>
          <div className="mt-2">
            <DocText text={rest.join("\n\n")} />
          </div>
        </details>
      )}
    </div>
  );
}
