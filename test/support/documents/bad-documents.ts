import { deflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import {
  buildInflatingPdf,
  buildPdf,
  buildPdfAround,
  buildPng,
  buildTiff,
} from "./document-factory.ts";

const MIB = 1024 * 1024;

/** A PDF that runs a script when it is opened; its objects lie compressed, as most programs write them. */
export async function buildScriptPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  pdf.addPage([200, 200]);
  pdf.addJavaScript("main", "app.alert('hello')");
  return Buffer.from(await pdf.save());
}

/** A PDF whose page starts a program when it is shown. */
function buildLaunchPdf(): Buffer {
  return buildPdfAround("4 0 obj<</Type/Page/AA<</O<</S/Launch/F(calc.exe)>>>>>>endobj\n");
}

/** A PDF that carries another file under a name. */
export async function buildAttachmentPdf(name: string): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  pdf.addPage([200, 200]);
  await pdf.attach(Buffer.from("<?xml version='1.0'?><invoice/>"), name, { mimeType: "text/xml" });
  return Buffer.from(await pdf.save());
}

/** A PDF that is drawn from a form in XML. */
function buildDynamicFormPdf(): Buffer {
  return buildPdfAround("4 0 obj<</XFA 5 0 R/Fields[]>>endobj\n5 0 obj<<>>endobj\n");
}

function streamObject(dictionary: string, packed: Buffer): Buffer {
  const head = `4 0 obj<<${dictionary}/Filter/FlateDecode/Length ${packed.length}>>stream\n`;
  return Buffer.concat([Buffer.from(head), packed, Buffer.from("\nendstream\nendobj\n")]);
}

/** A PDF whose page holds drawing commands that grow to `megabytes`. */
export function buildContentBombPdf(megabytes: number): Buffer {
  const commands = Buffer.alloc(megabytes * MIB, "0 0 m ");
  return buildPdfAround(streamObject("", deflateSync(commands, { level: 1 })));
}

/** A PDF with an image of 10^9 pixels. */
function buildImageBombPdf(): Buffer {
  const dictionary = "/Type/XObject/Subtype/Image/Width 40000/Height 25000/BitsPerComponent 8";
  return buildPdfAround(streamObject(dictionary, deflateSync(Buffer.alloc(1_000))));
}

export interface BadDocument {
  readonly name: string;
  readonly build: () => Buffer | Promise<Buffer>;
  readonly code: string;
  /** A part of the sentence that the customer reads. */
  readonly detail: string;
}

/** Documents that open, by their first bytes, and whose check must fail, each with its own reason. */
export const BAD_DOCUMENTS: readonly BadDocument[] = [
  {
    name: "a PDF that is cut off",
    build: async () => (await buildPdf({ pages: 2 })).subarray(0, 400),
    code: "document_truncated",
    detail: "cut off",
  },
  {
    name: "a PNG that is cut off",
    build: () => buildPng(2, 2).subarray(0, -12),
    code: "document_truncated",
    detail: "cut off",
  },
  {
    name: "garbage behind a PDF's first bytes",
    build: () => Buffer.from(`%PDF-1.7\n${"\u0001 garbage ".repeat(500)}\n%%EOF`),
    code: "document_unreadable",
    detail: "damaged",
  },
  {
    name: "a page of HTML behind a PDF's first bytes",
    build: () => Buffer.from("%PDF-1.7\n<html><script>alert(1)</script></html>\n%%EOF"),
    code: "document_unreadable",
    detail: "damaged",
  },
  {
    name: "an encrypted PDF",
    build: () => buildPdf({ password: "secret" }),
    code: "document_encrypted",
    detail: "without a password",
  },
  {
    name: "a PDF without pages",
    build: () => buildPdf({ pages: 0 }),
    code: "document_empty",
    detail: "no pages",
  },
  {
    name: "a PDF with JavaScript",
    build: buildScriptPdf,
    code: "document_has_javascript",
    detail: "JavaScript",
  },
  {
    name: "a PDF that starts a program",
    build: buildLaunchPdf,
    code: "document_has_launch_action",
    detail: "start programs",
  },
  {
    name: "a PDF with another file in it",
    build: () => buildAttachmentPdf("invoice.exe"),
    code: "document_has_attachments",
    detail: "other files",
  },
  {
    name: "a PDF drawn from XML",
    build: buildDynamicFormPdf,
    code: "document_has_dynamic_form",
    detail: "dynamic form",
  },
  {
    name: "a PDF whose objects grow to 70 MiB",
    build: () => buildInflatingPdf(70),
    code: "document_too_complex",
    detail: "too much work",
  },
  {
    name: "a PDF whose page grows to 260 MiB",
    build: () => buildContentBombPdf(260),
    code: "document_too_complex",
    detail: "too much work",
  },
  {
    name: "a PDF with an image of 10^9 pixels",
    build: buildImageBombPdf,
    code: "document_too_many_pixels",
    detail: "40000 by 25000",
  },
  {
    name: "a PNG of 10^9 pixels",
    build: () => buildPng(40_000, 25_000),
    code: "document_too_many_pixels",
    detail: "40000 by 25000",
  },
  {
    name: "a TIFF of 2 * 10^9 pixels",
    build: () => buildTiff({ width: 1_000_000_000 }),
    code: "document_too_many_pixels",
    detail: "too large",
  },
];
