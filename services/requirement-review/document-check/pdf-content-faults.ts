import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFStream,
  PDFString,
  type PDFContext,
  type PDFObject,
} from "@cantoo/pdf-lib";
import {
  failed,
  type CheckFault,
  type CheckResult,
} from "../../domain/document/rules/check-result.ts";
import { findSizeFault } from "../../domain/document/rules/check-tiff.ts";

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
export function findPdfContentFault(context: PDFContext): CheckResult | null {
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
