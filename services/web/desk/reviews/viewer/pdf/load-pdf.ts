import type * as PdfJs from "pdfjs-dist";
import type { PDFDocumentProxy, PDFPageProxy, PDFWorker, TextLayer } from "pdfjs-dist";
import { arrived, send } from "../../../../ui/http/request.ts";
import jbig2Url from "pdfjs-dist/wasm/jbig2.wasm?url";
import openJpegUrl from "pdfjs-dist/wasm/openjpeg.wasm?url";
import qcmsUrl from "pdfjs-dist/wasm/qcms_bg.wasm?url";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";

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
