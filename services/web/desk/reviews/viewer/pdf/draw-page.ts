import type { TextMatch, TextPlace } from "../find-in-text.ts";
import styles from "../viewer.module.css";
import type { Pdf, PDFPageProxy } from "./load-pdf.ts";

export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  /** Where a match stands on the page, in CSS pixels. */
  rectanglesOf(match: TextMatch): readonly DOMRectReadOnly[];
}

interface Drawing {
  /** Receives the canvas and the text layer in place of what was drawn before. */
  readonly layers: HTMLElement;
  readonly width: number;
  readonly rotation: number;
  readonly signal: AbortSignal;
}

/** Larger canvases are refused by some browsers, and take long. */
const MOST_PIXELS = 16_777_216;

/** Draws a page as an image with its text, invisible, above it, to be found and selected. */
export async function drawPage(pdf: Pdf, number: number, to: Drawing): Promise<DrawnPage> {
  const { layers, width, rotation, signal } = to;
  const page = await pdf.page(number);
  const turned = (page.rotate + rotation) % 360;
  const scale = width / page.getViewport({ scale: 1, rotation: turned }).width;
  const viewport = page.getViewport({ scale, rotation: turned });
  signal.throwIfAborted();
  const canvas = await drawCanvas(page, viewport, signal);
  if (pdf.fault() !== null) throw pdf.fault();
  const text = document.createElement("div");
  text.className = styles["text"] ?? "";
  text.style.setProperty("--total-scale-factor", String(scale));
  const textContentSource = page.streamTextContent();
  const layer = new pdf.TextLayer({ textContentSource, container: text, viewport });
  await layer.render();
  signal.throwIfAborted();
  layers.replaceChildren(canvas, text);
  return {
    width,
    height: viewport.height,
    rotation,
    rectanglesOf: (match) => rectanglesOf(layers, layer.textDivs, match),
  };
}

type Viewport = ReturnType<PDFPageProxy["getViewport"]>;

async function drawCanvas(
  page: PDFPageProxy,
  viewport: Viewport,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const { width, height } = viewport;
  const ratio = Math.min(devicePixelRatio, Math.sqrt(MOST_PIXELS / (width * height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(width * ratio);
  canvas.height = Math.floor(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const task = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] });
  signal.addEventListener("abort", () => task.cancel(), { once: true });
  await task.promise;
  return canvas;
}

function rectanglesOf(
  layers: HTMLElement,
  pieces: readonly HTMLElement[],
  { first, last }: TextMatch,
): readonly DOMRectReadOnly[] {
  const range = document.createRange();
  const [start, end] = [nodeOf(pieces, first), nodeOf(pieces, last)];
  if (start === null || end === null) return [];
  range.setStart(start, Math.min(first.offset, start.length));
  range.setEnd(end, Math.min(last.offset + 1, end.length));
  const origin = layers.getBoundingClientRect();
  return [...range.getClientRects()]
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(
      ({ left, top, width, height }) =>
        new DOMRectReadOnly(left - origin.left, top - origin.top, width, height),
    );
}

function nodeOf(pieces: readonly HTMLElement[], { piece }: TextPlace): Text | null {
  const node = pieces[piece]?.firstChild;
  return node instanceof Text && node.isConnected ? node : null;
}
