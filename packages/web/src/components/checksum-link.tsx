import { Link } from "react-router-dom";

/** A checksum that links to every place where this content was read or written. */
export function ChecksumLink({ checksum }: { readonly checksum: string }) {
  return (
    <Link
      className="code truncate text-soft hover:text-ink hover:underline"
      title="Find every use of this content"
      to={`/prov?checksum=${encodeURIComponent(checksum)}`}
    >
      {checksum}
    </Link>
  );
}
