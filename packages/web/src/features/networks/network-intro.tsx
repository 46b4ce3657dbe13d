import type { Network } from "@weft/shared/records/process-record.ts";
import { DocText } from "../../components/markdown/doc-text.tsx";

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
