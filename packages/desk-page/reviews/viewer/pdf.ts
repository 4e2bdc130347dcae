import type * as PdfJs from "pdfjs-dist";
import type { PDFDocumentProxy, PDFPageProxy, PDFWorker, TextLayer } from "pdfjs-dist";
import jbig2Url from "pdfjs-dist/wasm/jbig2.wasm?url";
import openJpegUrl from "pdfjs-dist/wasm/openjpeg.wasm?url";
import qcmsUrl from "pdfjs-dist/wasm/qcms_bg.wasm?url";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { arrived, send } from "../../../ui/http/request.ts";
import type { TextMatch, TextPlace } from "./find-in-text.ts";
import styles from "./viewer.module.css";

export type { PDFPageProxy };

/** An open PDF; its code runs in a worker. */
export interface Pdf {
  readonly pageCount: number;
  /** By number, from 1. */
  page(number: number): Promise<PDFPageProxy>;
  /** A page's pieces of text, in the order of its text layer; none for a scanned page. */
  text(number: number): Promise<readonly string[]>;
  /** Why images of it could not be decoded; null where all could. */
  fault(): unknown;
  readonly TextLayer: typeof TextLayer;
}

/** What pdf.js decodes scanned images with, by the name that it asks for. */
const DECODERS: Readonly<Record<string, string>> = {
  "jbig2.wasm": jbig2Url,
  "openjpeg.wasm": openJpegUrl,
  "qcms_bg.wasm": qcmsUrl,
};

/** Fetches decoders, and keeps why one did not come: without it, pdf.js leaves a scanned page blank. */
function decoders() {
  let fault: unknown = null;
  class Decoders {
    async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
      const url = DECODERS[filename];
      if (url === undefined) throw new Error(`There is no ${filename}.`);
      try {
        const file = await send("GET", url, { headers: { Accept: "*/*" } });
        return new Uint8Array(await arrived(file.arrayBuffer(), "GET"));
      } catch (error) {
        fault = error;
        throw error;
      }
    }
  }
  return { Decoders, fault: () => fault };
}

interface Renderer {
  readonly worker: PDFWorker;
  /** Rejects where the worker does not start, of which pdf.js learns nothing. */
  readonly failure: Promise<never>;
}

/** One for all documents, as long as the page is open; another after a failure. */
let renderer: Renderer | null = null;

function startRenderer(pdfjs: typeof PdfJs): Renderer {
  const port = startWorker();
  const failure = new Promise<never>((_resolve, reject) => {
    port.addEventListener("error", () => {
      port.terminate();
      renderer = null;
      reject(new Error("The code that reads PDFs could not be fetched; try again."));
    });
  });
  // It may fail while nothing is being opened.
  failure.catch(() => undefined);
  // Given to each document: what pdf.js makes by itself ends with the first that is closed. Its types know no port.
  return { worker: new pdfjs.PDFWorker({ port: port as unknown as null }), failure };
}

/** Fetches pdf.js when the first PDF is opened, and closes what it opened, or was about to, at `signal`. */
export async function loadPdf(content: ArrayBuffer, signal: AbortSignal): Promise<Pdf> {
  const pdfjs = await import("pdfjs-dist");
  signal.throwIfAborted();
  renderer ??= startRenderer(pdfjs);
  const { Decoders, fault } = decoders();
  const task = pdfjs.getDocument({
    // pdf.js gives what it is given to its worker.
    data: content.slice(0),
    worker: renderer.worker,
    enableXfa: false,
    useWorkerFetch: false,
    wasmUrl: "decoders/",
    BinaryDataFactory: Decoders,
  });
  signal.addEventListener("abort", () => void task.destroy(), { once: true });
  const pdf: PDFDocumentProxy = await Promise.race([task.promise, renderer.failure]);
  const page = (number: number) => pdf.getPage(number);
  return {
    pageCount: pdf.numPages,
    page,
    text: async (number) => {
      const { items } = await (await page(number)).getTextContent();
      return items.flatMap((item) => ("str" in item ? [item.str] : []));
    },
    fault,
    TextLayer: pdfjs.TextLayer,
  };
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
/** The page's policy allows this one only, once: a worker from our own file. */
const policy = trustedTypes?.createPolicy("desk", { createScriptURL: ownFile });

function startWorker(): Worker {
  const url = policy?.createScriptURL(workerUrl) ?? ownFile(workerUrl);
  return new Worker(url, { type: "module" });
}

function ownFile(url: string): string {
  if (url !== workerUrl) throw new Error("Only our own worker is started.");
  return url;
}

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

/** Draws a small image of a page, without its text. */
export async function drawThumbnail(
  pdf: Pdf,
  number: number,
  { width, signal }: Pick<Drawing, "width" | "signal">,
): Promise<HTMLCanvasElement> {
  const page = await pdf.page(number);
  signal.throwIfAborted();
  const scale = width / page.getViewport({ scale: 1 }).width;
  return drawCanvas(page, page.getViewport({ scale }), signal);
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
