import type { Font } from "fontkit";
import PDFDocument from "pdfkit";
import { findCountry } from "../../../domain/countries/countries.ts";
import type {
  GainingCarrier,
  LoaContent,
  LoaField,
  LoaSignature,
} from "../../../domain/order/rules/loa-content.ts";
import type { LetterForm } from "../../../domain/terms/rules/letter-terms.ts";
import type { ValueFault } from "../../requirements/check-value.ts";
import { readSignatureImage } from "../signature-image.ts";
import {
  billingAddressOf,
  drawFields,
  drawNumbers,
  drawSchedule,
  drawSignature,
  drawStatements,
  INLINE_NUMBERS,
  inWords,
  loaStatements,
  writtenInstant,
  type DrawnSignature,
  type Unsigned,
} from "./loa-form.ts";
import { filled, LETTER_TEXTS, type LetterTexts } from "./letter-texts.ts";
import {
  COLORS,
  FOOTER_HEIGHT,
  isShown,
  loaFonts,
  newSheet,
  printable,
  rule,
  sizeToFit,
  write,
  type Sheet,
} from "./loa-page.ts";

interface Letter {
  readonly content: LoaContent;
  readonly carrier: GainingCarrier;
  readonly form: LetterForm;
  /** A preview is marked as such on every page. */
  readonly signature: DrawnSignature | Unsigned;
  /** The creation time written into the file; the same letter and instant give the same bytes. */
  readonly printedAt: Date;
}

interface RenderedLetter {
  readonly pdf: Buffer;
  /** What each page states, a line for each text. */
  readonly pageTexts: readonly string[];
  /** Values with characters that the letter cannot show: requirement slugs, `signer_name`, `signer_title`. */
  readonly unprintable: readonly string[];
}

interface Stated extends Pick<Letter, "content"> {
  readonly signature: LoaSignature | Unsigned;
}

/** One line of the carrier's name above the title; a longer name is set smaller, never cut. */
const NAME_HEIGHT = 12;
/** One line as well: a language's longer title is set smaller. */
const TITLE_HEIGHT = 25;

/** Renders the letter as a PDF with searchable text and embedded fonts, in about 10 ms of CPU; 1,000 numbers take more. */
async function renderLoa(letter: Letter): Promise<RenderedLetter> {
  const { content, signature, form } = letter;
  const words = LETTER_TEXTS[form.language];
  const doc = openDocument(letter, words);
  const whole = collect(doc);
  const sheet = newSheet(doc, form.language);
  drawTop(sheet, letter);
  const billing = form.hasBillingAddress ? billingAddressOf(words, content) : [];
  const customer = [...content.customer.map((field) => inWords(words, field)), ...billing];
  const service = content.service.map((field) => inWords(words, field));
  drawFields(sheet, `1   ${words.customer}`, customer);
  drawFields(sheet, `2   ${words.account}`, service);
  drawNumbers(sheet, content);
  drawStatements(sheet, loaStatements(letter.carrier, content, words));
  drawSignature(sheet, { signature, hasStamp: form.hasStamp });
  if (content.phone_numbers.length > INLINE_NUMBERS) drawSchedule(sheet, content);
  const unprintable = unprintableIn(letter);
  drawEveryPage(sheet, letter);
  doc.end();
  const pageTexts = [...sheet.texts.values()].map((lines) => lines.join("\n"));
  return { pdf: await whole, pageTexts, unprintable };
}

function openDocument(
  { content, carrier, signature, printedAt, form }: Letter,
  words: LetterTexts,
): PDFKit.PDFDocument {
  const mark = signature === "preview" ? ` (${words.preview_mark.toLowerCase()})` : "";
  const signer = typeof signature === "string" ? null : signature.signer_name;
  const doc = new PDFDocument({
    size: findCountry(content.country_code)?.paperSize ?? "A4",
    margin: 0,
    bufferPages: true,
    // Otherwise it loads Helvetica, which no letter uses.
    font: "",
    lang: form.language,
    displayTitle: true,
    pdfVersion: "1.7",
    info: {
      Title: filled(words.order_of, { title: words.title, id: content.order_id }) + mark,
      Author: printable(signer ?? carrier.name),
      Producer: "Number Porting Service",
      Creator: "Number Porting Service",
      CreationDate: printedAt,
    },
  });
  for (const [name, font] of Object.entries(loaFonts())) doc.registerFont(name, sourceOf(font));
  return doc;
}

/** pdfkit takes a parsed font, too; its types leave that out. */
function sourceOf(font: Font): PDFKit.Mixins.PDFFontSource {
  return font as unknown as PDFKit.Mixins.PDFFontSource;
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    doc.on("data", (chunk: Buffer) => chunks.push(chunk));
    doc.on("end", () => resolve(Buffer.concat(chunks)));
    doc.on("error", reject);
  });
}

function drawTop(sheet: Sheet, { content, carrier, signature }: Letter): void {
  const { left, width, y, words } = sheet;
  const right = { x: left + width - 220, width: 220, align: "right", size: 7.5 } as const;
  const style = { x: left, width: width - 230 };
  const line = { width: style.width, height: NAME_HEIGHT, largest: 9, font: "bold" } as const;
  const name = { size: sizeToFit(sheet, carrier.name, line), font: "bold" } as const;
  write(sheet, carrier.name, { ...style, ...name, y, color: COLORS.accent });
  const title = { width: style.width, height: TITLE_HEIGHT, largest: 20, font: "bold" } as const;
  const titled = { size: sizeToFit(sheet, words.title, title), font: "bold" } as const;
  write(sheet, words.title, { ...style, ...titled, y: y + 13 });
  write(sheet, words.purpose, { ...style, y: y + 38, size: 9, color: COLORS.label });
  write(sheet, words.order, { ...right, y: y + 2, color: COLORS.label });
  write(sheet, content.order_id, { ...right, y: y + 12, size: 8 });
  if (signature !== "by_hand") {
    const date =
      signature === "preview" ? words.not_signed : writtenInstant(sheet, signature.signed_at);
    write(sheet, words.date, { ...right, y: y + 26, color: COLORS.label });
    write(sheet, date, { ...right, y: y + 36, size: 8 });
  }
  rule(sheet, y + 56, COLORS.accent);
  sheet.y = y + 66;
}

/** Draws the footer of every page, and the mark across the pages of a preview. */
function drawEveryPage(sheet: Sheet, { content, signature }: Letter): void {
  const { doc, left, width, words } = sheet;
  const { start, count } = doc.bufferedPageRange();
  const title = filled(words.order_of, { title: words.title, id: content.order_id });
  for (let n = start; n < start + count; n += 1) {
    doc.switchToPage(n);
    const y = doc.page.height - FOOTER_HEIGHT;
    rule(sheet, y);
    const style = { size: 7, color: COLORS.label };
    write(sheet, title, { ...style, x: left, y: y + 5, width });
    const page = filled(words.page, { n: n - start + 1, of: count });
    write(sheet, page, { ...style, x: left + width - 80, y: y + 5, width: 80, align: "right" });
    write(sheet, footerOf(sheet, signature), { ...style, x: left, y: y + 15, width, cut: true });
    if (signature === "preview") drawMark(sheet);
  }
}

function footerOf(sheet: Sheet, signature: Letter["signature"]): string {
  const { words } = sheet;
  if (signature === "preview") return words.unsigned_footer;
  if (signature === "by_hand") return words.by_hand_footer;
  const { signer_name: name, signed_at: at } = signature;
  return filled(words.signed_footer, { name, at: writtenInstant(sheet, at) });
}

function drawMark({ doc, words }: Sheet): void {
  const { width, height } = doc.page;
  doc.save();
  doc.rotate(-52, { origin: [width / 2, height / 2] });
  doc.font("bold").fontSize(62).fillColor(COLORS.missing).fillOpacity(0.13);
  doc.text(words.preview_mark, width / 2 - 400, height / 2 - 36, { width: 800, align: "center" });
  doc.restore();
}

/** Values of a letter with characters that it cannot show, as `RenderedLetter` has them. */
function unprintableIn({ content, signature }: Stated): string[] {
  const signed = typeof signature === "string" ? null : signature;
  const stated: Pick<LoaField, "slug" | "value">[] = [
    ...content.customer,
    ...content.service,
    { slug: "signer_name", value: signed?.signer_name ?? null },
    { slug: "signer_title", value: signed?.signer_title ?? null },
  ];
  return stated.flatMap(({ slug, value }) => (value === null || isShown(value) ? [] : [slug]));
}

/** A letter to render, as plain data that can be passed between threads. */
export interface PrintJob {
  readonly content: LoaContent;
  readonly carrier: GainingCarrier;
  readonly form: LetterForm;
  /** `image` is as received and not checked yet. */
  readonly signature: (LoaSignature & { readonly image: Uint8Array | null }) | Unsigned;
  readonly printedAt: Date;
}

export type PrintAnswer =
  | ({ readonly kind: "letter" } & RenderedLetter)
  | ({ readonly kind: "bad_image"; readonly fault: ValueFault } & Pick<
      RenderedLetter,
      "unprintable"
    >);

/** Renders the letter; a signature image is checked in full before it is drawn. */
export async function printLoa(job: PrintJob): Promise<PrintAnswer> {
  const { signature } = job;
  if (typeof signature === "string") {
    return { kind: "letter", ...(await renderLoa({ ...job, signature })) };
  }
  const image = signature.image === null ? null : readSignatureImage(Buffer.from(signature.image));
  if (image !== null && "fault" in image) {
    return { kind: "bad_image", fault: image.fault, unprintable: unprintableIn(job) };
  }
  const drawn = { ...signature, image: image?.image ?? null };
  return { kind: "letter", ...(await renderLoa({ ...job, signature: drawn })) };
}
