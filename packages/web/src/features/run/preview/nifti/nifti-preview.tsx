import { queryOptions, useQuery } from "@tanstack/react-query";
import { Facts } from "../../../../ui/facts.tsx";
import { QueryView } from "../../../../ui/query-view.tsx";
import { loadNifti } from "./load-volume.ts";
import { headerFacts } from "./header-facts.ts";
import { VolumeView } from "./volume-view.tsx";

/** A NIfTI image: its slices in three planes, and what its header says. Read by this page alone, without WebGL. */
export default function NiftiPreview({ url, name }: { readonly url: string; readonly name: string }) {
  const loaded = useQuery(niftiQuery(url));
  return (
    <QueryView query={loaded} rows={8}>
      {(data) =>
        data.kind === "fault" ? (
          <p className="text-failed">{data.fault}</p>
        ) : (
          <div className="space-y-4">
            {data.kind === "volume" ? (
              <VolumeView volume={data.volume} name={name} />
            ) : (
              <p className="text-canceled">{data.why}</p>
            )}
            <details>
              <summary className="w-fit cursor-pointer text-soft hover:text-ink">Header</summary>
              <div className="mt-2">
                <Facts facts={headerFacts(data.header)} />
              </div>
            </details>
          </div>
        )
      }
    </QueryView>
  );
}

/** Images are large: one that is out of sight is soon forgotten. */
function niftiQuery(url: string) {
  return queryOptions({
    queryKey: ["nifti", url] as const,
    queryFn: ({ signal }) => loadNifti(url, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    structuralSharing: false,
  });
}
