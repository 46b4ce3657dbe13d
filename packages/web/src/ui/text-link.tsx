import { Link, type LinkProps } from "react-router-dom";

/** A link to another page within a text or a table. */
export function TextLink(props: Omit<LinkProps, "className">) {
  return <Link className="link" {...props} />;
}

/** The name of a record in a list, which leads to the page of the record. */
export function NameLink(props: Omit<LinkProps, "className">) {
  return <Link className="link font-medium wrap-anywhere" {...props} />;
}
