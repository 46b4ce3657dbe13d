import { portText, type Drawing, type NodeBox } from "./draw-network.ts";
import { smoothPath } from "./smooth-path.ts";

const MARGIN = 20;
const STEP_CHARS = { width: 232, count: 31 };

/** The drawing as an SVG file for papers and slides: dark on white, regardless of the page's theme. */
export function drawingToSvg({ boxes, lines, width, height }: Drawing, title: string): string {
  const size = { width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(height + 2 * MARGIN) };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="${-MARGIN} ${-MARGIN} ${size.width} ${size.height}" font-family="Helvetica, Arial, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${size.width}" height="${size.height}" fill="#fff"/>`,
    ...boxes.filter(({ expanded }) => expanded).map(boxMarkup),
    `<g fill="none" stroke="#858fa1" stroke-width="1.4">`,
    ...lines.map(
      ({ points, ports }) =>
        `<path d="${smoothPath(points)}"><title>${escapeXml(ports.map(portText).join("\n"))}</title></path>`,
    ),
    `</g>`,
    ...boxes.filter(({ expanded }) => !expanded).map(boxMarkup),
    `</svg>\n`,
  ].join("\n");
}

function boxMarkup(box: NodeBox): string {
  const { x, y, width, height, node, expanded } = box;
  const radius = node.kind === "step" ? 8 : height / 2;
  const look = expanded ? `fill="#f5f4fe" stroke="#858fa1" stroke-dasharray="6 4"` : `fill="#fff" stroke="#515c6e"`;
  const process = expanded ? undefined : node.process_label;
  const textY = expanded ? y + 22 : y + height / 2 + (process === undefined ? 5 : -4);
  const text = (content: string, down: number, font: string): string =>
    `<text x="${x + 12}" y="${textY + down}" ${font}>${escapeXml(content)}</text>`;
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" ${look}/>` +
    text(nameOf(box), 0, 'font-size="14" fill="#151b26"') +
    (process === undefined ? "" : text(shorten(process, width), 20, 'font-size="12" fill="#515c6e"'))
  );
}

function nameOf({ node, width }: NodeBox): string {
  const marks = `${node.scatter === true ? " ×N" : ""}${node.loop === true ? " ↻" : ""}${node.conditional === true ? " ?" : ""}`;
  return shorten(node.label + marks, width);
}

function shorten(name: string, width: number): string {
  const fits = Math.floor((STEP_CHARS.count * width) / STEP_CHARS.width);
  return name.length <= fits ? name : `${name.slice(0, fits - 1)}…`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
