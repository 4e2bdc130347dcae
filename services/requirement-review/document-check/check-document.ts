import { Readable } from "node:stream";
import { crc32, createInflate, inflateSync } from "node:zlib";
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFStream,
  PDFString,
  PDFWriter,
  type PDFContext,
  type PDFObject,
} from "@cantoo/pdf-lib";
import {
  failed,
  PASSED,
  tooComplex,
  truncated,
  unreadable,
  type CheckFault,
  type CheckResult,
} from "../../domain/document/rules/check-result.ts";
import {
  BudgetExceeded,
  checkTiff,
  findSizeFault,
  WorkBudget,
} from "../../domain/document/rules/check-tiff.ts";
import { documentTypeOf, type DocumentType } from "../../domain/document/rules/document.ts";
import { errorCodeOf } from "../../platform/errors.ts";

/** What a document does by itself or carries along (ISO 32000-1, 12.6.4, 12.7.8 and 7.11.4), the worst first. */
const DETAILS = {
  document_has_javascript: "The PDF contains JavaScript.",
  document_has_launch_action: "The PDF can start programs.",
  document_has_dynamic_form: "The PDF is a dynamic form (XFA), which looks different everywhere.",
  document_has_attachments: "The PDF contains other files.",
} as const satisfies Partial<Record<CheckFault, string>>;

const ADVICE = "Print it to a new PDF, and upload that.";

type ContentFault = keyof typeof DETAILS;
const BY_GRAVITY = Object.keys(DETAILS) as ContentFault[];

/** Electronic invoices, which Germany and France prescribe, are PDFs that carry their data as one of these. */
const INVOICE_DATA = new Set([
  "factur-x.xml",
  "zugferd-invoice.xml",
  "xrechnung.xml",
  "order-x.xml",
]);

const NAME = {
  action: PDFName.of("S"),
  embeddedFile: PDFName.of("EF"),
  file: PDFName.of("F"),
  height: PDFName.of("Height"),
  javaScript: PDFName.of("JavaScript"),
  launch: PDFName.of("Launch"),
  script: PDFName.of("JS"),
  subtype: PDFName.of("Subtype"),
  image: PDFName.of("Image"),
  unicodeFile: PDFName.of("UF"),
  width: PDFName.of("Width"),
  xfa: PDFName.of("XFA"),
} as const;

/** Looks through every object of a PDF, reachable or not: viewers differ in what they reach. */
function findPdfContentFault(context: PDFContext): CheckResult | null {
  const found = new Set<ContentFault>();
  for (const [, object] of context.enumerateIndirectObjects()) {
    for (const dict of dictionariesIn(object)) {
      const sizeFault = imageFault(dict);
      if (sizeFault !== null) return sizeFault;
      for (const fault of faultsOf(dict)) found.add(fault);
    }
  }
  const worst = BY_GRAVITY.find((fault) => found.has(fault));
  return worst === undefined ? null : failed(worst, `${DETAILS[worst]} ${ADVICE}`);
}

/** An object's dictionaries at any depth; a file may nest them deeper than a call stack is. */
function* dictionariesIn(object: PDFObject): Generator<PDFDict, void> {
  const left: PDFObject[] = [object];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const dict = one instanceof PDFStream ? one.dict : one;
    if (dict instanceof PDFDict) {
      yield dict;
      for (const [, value] of dict.entries()) left.push(value);
    } else if (one instanceof PDFArray) {
      for (let n = 0; n < one.size(); n += 1) left.push(one.get(n));
    }
  }
}

function faultsOf(dict: PDFDict): ContentFault[] {
  const action = dict.lookup(NAME.action);
  const faults: ContentFault[] = [];
  if (action === NAME.javaScript || dict.has(NAME.script)) faults.push("document_has_javascript");
  if (action === NAME.launch) faults.push("document_has_launch_action");
  if (dict.has(NAME.xfa)) faults.push("document_has_dynamic_form");
  if (dict.has(NAME.embeddedFile) && !isInvoiceData(dict)) faults.push("document_has_attachments");
  return faults;
}

/** A file is known by the name under which a viewer would save it, under each that it has. */
function isInvoiceData(fileSpecification: PDFDict): boolean {
  const names = [NAME.unicodeFile, NAME.file].flatMap((key) => {
    const name = fileSpecification.lookup(key);
    return name instanceof PDFString || name instanceof PDFHexString ? [name.decodeText()] : [];
  });
  return names.length > 0 && names.every((name) => INVOICE_DATA.has(name.toLowerCase()));
}

function imageFault(dict: PDFDict): CheckResult | null {
  if (dict.lookup(NAME.subtype) !== NAME.image) return null;
  const side = (key: PDFName): number => {
    const value = dict.lookup(key);
    return value instanceof PDFNumber ? value.asNumber() : 1;
  };
  const fault = findSizeFault(side(NAME.width), side(NAME.height));
  return fault?.passed === false && fault.code === "document_too_many_pixels" ? fault : null;
}

const STREAM = "stream";
const STREAM_END = "endstream";
/** How far before its stream a dictionary is looked for. */
const MOST_DICTIONARY = 4_096;
/** A file of 20 MiB with more has next to nothing in each. */
const MOST_STREAMS = 100_000;
const MIB = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Inflated at once: deflate grows by 1,032 at most. */
const SMALL_BYTES = 16 * 1024;

/** What may be inflated, in bytes: a scan of 100 pages has some 500 MiB of pixels, and little else. */
const MOST = { objects: 64 * MIB, content: 256 * MIB, all: 1024 * MIB } as const;

interface Budgets {
  /** Object and cross-reference streams, which a parser keeps in memory. */
  readonly objects: WorkBudget;
  /** All but images. */
  readonly content: WorkBudget;
  readonly all: WorkBudget;
}

/**
 * Inflates what parsers and viewers inflate (ISO 32000-1, 7.5.7, 7.5.8 and 7.4.4), and counts it: a small file cannot
 * fill the memory, here or where it is shown.
 * @throws `BudgetExceeded`
 */
async function inflatePdfObjects(bytes: Buffer): Promise<void> {
  const text = bytes.toString("latin1");
  const streams = new WorkBudget(MOST_STREAMS);
  const budgets: Budgets = {
    objects: new WorkBudget(MOST.objects),
    content: new WorkBudget(MOST.content),
    all: new WorkBudget(MOST.all),
  };
  for (let at = text.indexOf(STREAM); at >= 0; at = text.indexOf(STREAM, at + STREAM.length)) {
    streams.spend(1);
    if (text.endsWith("end", at)) continue;
    const before = text.slice(Math.max(0, at - MOST_DICTIONARY), at);
    const dictionary = readNames(before.slice(before.lastIndexOf("obj") + 3));
    const layers = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0;
    if (layers === 0) continue;
    const from = text.indexOf("\n", at) + 1;
    const end = text.indexOf(STREAM_END, from);
    const stream = bytes.subarray(from, end < 0 ? undefined : end);
    if (/\/(?:ObjStm|XRef)\b/.test(dictionary)) inflate(stream, layers, budgets.objects);
    else await measure(stream, layers, budgetsOf(dictionary, budgets));
  }
}

/** Names may be written with `#` and two hex digits in place of any character. */
function readNames(dictionary: string): string {
  return dictionary.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function budgetsOf(dictionary: string, { content, all }: Budgets): readonly WorkBudget[] {
  return /\/Image\b/.test(dictionary) ? [all] : [all, content];
}

/** Inflates a stream that was compressed `layers` times in a row; null where it cannot be, which is the parser's to judge. */
function inflate(stream: Buffer, layers: number, budget: WorkBudget): Buffer | null {
  let content = stream;
  for (let n = 0; n < layers; n += 1) {
    try {
      content = inflateSync(content, { maxOutputLength: budget.left + 1 });
    } catch (error) {
      if (errorCodeOf(error) === "ERR_BUFFER_TOO_LARGE") budget.spend(budget.left + 1);
      return null;
    }
    budget.spend(content.length);
  }
  return content;
}

/** Counts what a stream inflates to without keeping it. */
async function measure(
  stream: Buffer,
  layers: number,
  budgets: readonly WorkBudget[],
): Promise<void> {
  const last = inflate(stream, layers - 1, new WorkBudget(MOST.objects));
  if (last === null) return;
  if (last.length <= SMALL_BYTES) {
    const length = inflate(last, 1, new WorkBudget(MOST.objects))?.length ?? 0;
    for (const budget of budgets) budget.spend(length);
    return;
  }
  const inflated = Readable.from([last], { objectMode: false }).pipe(
    createInflate({ chunkSize: CHUNK_BYTES }),
  );
  try {
    for await (const chunk of inflated as AsyncIterable<Buffer>) {
      for (const budget of budgets) budget.spend(chunk.length);
    }
  } catch (error) {
    if (!errorCodeOf(error).startsWith("Z_")) throw error;
  }
}

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;

/** Walks the chunks with their checksums, from IHDR through data to IEND (PNG specification, section 5). */
function checkPng(bytes: Buffer): CheckResult {
  let at = SIGNATURE_BYTES;
  let hasData = false;
  for (let nth = 0; at + FRAME_BYTES <= bytes.length; nth += 1) {
    const length = bytes.readUInt32BE(at);
    const end = at + FRAME_BYTES + length;
    if (end > bytes.length) break;
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      return unreadable("The PNG is damaged: a checksum does not match.");
    }
    if ((nth === 0) !== (kind === "IHDR")) return unreadable("The PNG has no valid header.");
    if (kind === "IHDR") {
      const fault = findSizeFault(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12));
      if (fault !== null) return fault;
    }
    if (kind === "IDAT") hasData = true;
    if (kind === "IEND") return hasData ? PASSED : unreadable("The PNG contains no image.");
    at = end;
  }
  return truncated("The PNG is cut off: its end is missing.");
}

const END = Buffer.from("%%EOF");
const LENIENT = {
  ignoreEncryption: true,
  parseSpeed: ParseSpeeds.Fastest,
  updateMetadata: false,
} as const;
const OBJECTS_AT_ONCE = 10_000;
const NEEDS_PASSWORD = "The PDF asks for a password. Upload a copy that opens without a password.";
const OBJECT = /\d+\s+\d+\s+obj\b/;

/** Parses leniently, as viewers do, but requires the end: an upload that was cut off may lack anything. */
async function checkPdf(bytes: Buffer): Promise<CheckResult> {
  const end = bytes.lastIndexOf(END);
  if (end < 0 || OBJECT.test(bytes.toString("latin1", end))) {
    return truncated("The PDF is cut off: its end is missing.");
  }
  await inflatePdfObjects(bytes);
  const pdf = await PDFDocument.load(bytes, LENIENT);
  return pdf.context.trailerInfo.Encrypt === undefined ? checkPages(pdf) : checkEncrypted(bytes);
}

/** One that only forbids printing or editing is encrypted under the empty password, and opens everywhere. */
async function checkEncrypted(bytes: Buffer): Promise<CheckResult> {
  const opened = await PDFDocument.load(bytes, { ...LENIENT, password: "" }).catch(() => null);
  if (opened === null) return failed("document_encrypted", NEEDS_PASSWORD);
  // What its streams grow to shows only now.
  const plain = await PDFWriter.forContext(opened.context, OBJECTS_AT_ONCE).serializeToBuffer();
  await inflatePdfObjects(Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength));
  return checkPages(opened);
}

function checkPages(pdf: PDFDocument): CheckResult {
  if (pdf.getPageCount() === 0) return failed("document_empty", "The PDF has no pages.");
  return findPdfContentFault(pdf.context) ?? PASSED;
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
const START_OF_SCAN = 0xda;
/** Markers C0 to CF are frames, except DHT, JPG and DAC. */
const NO_FRAMES = new Set([0xc4, 0xc8, 0xcc]);

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker);
}

/** Walks the segments to the scan, then looks for its end: a scan cannot contain FF D9 (ITU-T T.81, annex B). */
function checkJpeg(bytes: Buffer): CheckResult {
  let hasFrame = false;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return unreadable("The JPEG is damaged.");
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (isFrame(marker)) {
      const fault = findSizeFault(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
      if (fault !== null) return fault;
      hasFrame = true;
    }
    if (marker === START_OF_SCAN) {
      if (!hasFrame) return unreadable("The JPEG contains no image.");
      if (bytes.indexOf(END_OF_IMAGE, at + 2 + length) >= 0) return PASSED;
      break;
    }
    at += 2 + length;
  }
  return truncated("The JPEG is cut off: its end is missing.");
}

const CHECKS: Readonly<
  Record<DocumentType, (bytes: Buffer) => CheckResult | Promise<CheckResult>>
> = {
  "application/pdf": checkPdf,
  "image/png": checkPng,
  "image/jpeg": checkJpeg,
  "image/tiff": checkTiff,
};

/** What a Buffer throws that is read past its end. */
const READ_PAST_END = new Set(["ERR_OUT_OF_RANGE", "ERR_BUFFER_OUT_OF_BOUNDS"]);

const WRONG_KIND: CheckFault = "unsupported_document_type";

/**
 * Whether a document opens, has pages, asks for no password and does nothing by itself, by its content alone. Never throws,
 * whatever the content.
 */
export async function checkDocument(bytes: Buffer): Promise<CheckResult> {
  if (bytes.length === 0) return failed("document_empty", "The file is empty: it has 0 bytes.");
  const type = documentTypeOf(bytes);
  if (type === null) return failed(WRONG_KIND, "The file is not a PDF, PNG, JPEG or TIFF.");
  try {
    return await CHECKS[type](bytes);
  } catch (error) {
    if (error instanceof BudgetExceeded) {
      return tooComplex("The file takes too much work to open.");
    }
    if (READ_PAST_END.has(errorCodeOf(error))) {
      return truncated("The file is cut off or damaged.");
    }
    return unreadable("The file is damaged and cannot be opened.");
  }
}
