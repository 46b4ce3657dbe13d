import type { JsonObject, JsonValue } from "@weft/cwl/model/json-value.ts";
import { safeEnding } from "./safe-ending.ts";

/** Private facts about where the document was used. */
export interface PlaceNames {
  readonly hostName: string;
  readonly userName: string;
}

/**
 * A tool's document that can be sent to outsiders. Removes default values that are texts or files, literal values of
 * environment variables, addresses and paths of a site, and names of private registries. Keeps everything else that the
 * author wrote.
 */
export function safeTool(document: JsonValue, names: PlaceNames): JsonValue {
  if (typeof document === "string") return safeText(document, names);
  if (Array.isArray(document)) return document.map((item: JsonValue) => safeTool(item, names));
  if (typeof document !== "object" || document === null) return document;
  const entries = Object.entries(document as JsonObject); // the rest of the union
  return Object.fromEntries(
    entries.map(([key, value]) => [key, safeField(key, value, { document: document as JsonObject, names })]),
  );
}

interface FieldContext {
  readonly document: JsonObject;
  readonly names: PlaceNames;
}

function safeField(key: string, value: JsonValue, { document, names }: FieldContext): JsonValue {
  switch (key) {
    case "default":
      return safeDefault(value);
    case "envValue":
      return isLiteral(value) ? `<env:${String(document["envName"])}>` : safeTool(value, names);
    case "dockerPull":
    case "dockerImageId":
      return typeof value === "string" ? safeImage(value) : value;
    case "dockerLoad":
    case "dockerImport":
      return "<address>";
    default:
      return safeTool(value, names);
  }
}

/** True for a text without expressions. */
export function isLiteral(value: unknown): value is string {
  return typeof value === "string" && !value.includes("$(") && !value.includes("${");
}

function safeDefault(value: JsonValue): JsonValue {
  if (typeof value === "string") return "<default>";
  if (Array.isArray(value)) return value.map(safeDefault);
  if (typeof value !== "object" || value === null) return value;
  const { class: kind, basename, location } = value as JsonObject;
  if (kind === "File") return { class: "File", basename: `default${safeEnding(String(basename ?? location ?? ""))}` };
  if (kind === "Directory") return { class: "Directory", basename: "default" };
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, field]) => [key, safeDefault(field)]));
}

const PUBLIC_REGISTRIES =
  /^(?:docker\.io|ghcr\.io|quay\.io|gcr\.io|public\.ecr\.aws|mcr\.microsoft\.com|nvcr\.io|registry\.gitlab\.com)$/;

/** The first part of an image's name is a host if it looks like one. */
export function safeImage(image: string): string {
  const [host = "", ...rest] = image.split("/");
  const isHost = rest.length > 0 && (/[.:]/.test(host) || host === "localhost");
  return isHost && !PUBLIC_REGISTRIES.test(host) ? ["<registry>", ...rest].join("/") : image;
}

/** Locations of programs and devices on any machine. */
const COMMON_PATHS =
  /^\/(?:usr|bin|sbin|lib|lib64|dev|proc|sys|etc|tmp|opt|var\/(?:spool|tmp)|weft|out|in|output|input)(?:\/|$)/;
/** Names that exist everywhere and disclose nothing. */
const COMMON_NAMES = new Set(["root", "user", "admin", "node", "weft", "ubuntu", "debian", "localhost"]);

function safeText(text: string, { hostName, userName }: PlaceNames): string {
  const withoutFiles = text.replace(/\bfile:\/\/[^\s'"`)]*/g, "<address>");
  const withoutLogins = withoutFiles.replace(/\b(https?:\/\/)[^\s/'"`@]*@/g, "$1<login>@");
  const withoutPaths = withoutLogins.replace(
    /(^|[\s'"`(=,])(\/[^\s'"`),;/][^\s'"`),;]*)/g,
    (whole, before: string, path: string) => (COMMON_PATHS.test(path) ? whole : `${before}<path>`),
  );
  return [
    [hostName, "<host>"],
    [userName, "<user>"],
  ].reduce((rest, [name = "", placeholder = ""]) => withoutName(rest, name, placeholder), withoutPaths);
}

export function isCommonName(name: string): boolean {
  return name.length < 3 || COMMON_NAMES.has(name.toLowerCase());
}

function withoutName(text: string, name: string, placeholder: string): string {
  if (isCommonName(name)) return text;
  return text.replace(new RegExp(`(?<![\\w.-])${RegExp.escape(name)}(?![\\w-])`, "gi"), () => placeholder);
}
