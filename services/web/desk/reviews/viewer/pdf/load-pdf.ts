import type { PDFDocumentProxy, PDFPageProxy, PDFWorker, TextLayer } from "pdfjs-dist";
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
  readonly TextLayer: typeof TextLayer;
  close(): void;
}

/** What pdf.js decodes scanned images with, by the name that it asks for. */
const DECODERS: Readonly<Record<string, string>> = {
  "jbig2.wasm": jbig2Url,
  "openjpeg.wasm": openJpegUrl,
  "qcms_bg.wasm": qcmsUrl,
};

class Decoders {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const url = DECODERS[filename];
    if (url === undefined) throw new Error(`There is no ${filename}.`);
    return new Uint8Array(await (await fetch(url)).arrayBuffer());
  }
}

/** One for all documents, as long as the page is open. */
let worker: PDFWorker | null = null;

/** Fetches pdf.js when the first PDF is opened. */
export async function loadPdf(content: ArrayBuffer): Promise<Pdf> {
  const pdfjs = await import("pdfjs-dist");
  // Given to each document: what pdf.js makes by itself ends with the first that is closed. Its types know no port.
  worker ??= new pdfjs.PDFWorker({ port: startWorker() as unknown as null });
  const task = pdfjs.getDocument({
    // pdf.js gives what it is given to its worker.
    data: content.slice(0),
    worker,
    enableXfa: false,
    useWorkerFetch: false,
    wasmUrl: "decoders/",
    BinaryDataFactory: Decoders,
  });
  const pdf: PDFDocumentProxy = await task.promise;
  const page = (number: number) => pdf.getPage(number);
  return {
    pageCount: pdf.numPages,
    page,
    text: async (number) => {
      const { items } = await (await page(number)).getTextContent();
      return items.flatMap((item) => ("str" in item ? [item.str] : []));
    },
    TextLayer: pdfjs.TextLayer,
    close: () => void task.destroy(),
  };
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/** The page's policy allows this one only: a worker from our own file. */
function startWorker(): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("desk", { createScriptURL: ownFile });
  const url = policy?.createScriptURL(workerUrl) ?? ownFile(workerUrl);
  return new Worker(url, { type: "module" });
}

function ownFile(url: string): string {
  if (url !== workerUrl) throw new Error("Only our own worker is started.");
  return url;
}
