import { DateTime } from "luxon";
import type { LoaSignature } from "../../../domain/order/rules/loa-content.ts";
import { DECLARATION } from "./loa-statements.ts";
import {
  box,
  COLORS,
  heading,
  heightOf,
  makeRoom,
  sizeToFit,
  write,
  type Sheet,
} from "./loa-page.ts";
import type { SignatureImage } from "../signature/signature-image.ts";

const SIZE = 8;
const LINE_GAP = 0.8;
const INDENT = 14;
const PADDING = 6;
const BETWEEN = 3.2;
const GAP_AFTER = 9;

const SIGNATURE_HEIGHT = 62;
const ROW_HEIGHT = 30;
const NOTE_SPACE = 24;
const LARGEST_NAME = 18;

/** Draws the declarations, one numbered paragraph each. */
export function drawStatements(sheet: Sheet, statements: readonly string[]): void {
  heading(sheet, "4   AUTHORIZATION", 40);
  sheet.y += PADDING;
  const left = sheet.left + PADDING;
  const style = { width: sheet.width - 2 * PADDING - INDENT, size: SIZE, lineGap: LINE_GAP };
  write(sheet, DECLARATION, { ...style, x: left, y: sheet.y, font: "bold" });
  sheet.y += heightOf(sheet, DECLARATION, { ...style, font: "bold" }) + BETWEEN;
  for (const [n, statement] of statements.entries()) {
    const height = heightOf(sheet, statement, style);
    makeRoom(sheet, height);
    write(sheet, `${n + 1}.`, { ...style, x: left, y: sheet.y, width: INDENT });
    write(sheet, statement, { ...style, x: left + INDENT, y: sheet.y });
    sheet.y += height + BETWEEN;
  }
  sheet.y += GAP_AFTER - BETWEEN;
}

/** `21 November 2026, 07:22:10 UTC`. */
export function writtenInstant(at: Date): string {
  const instant = DateTime.fromJSDate(at, { zone: "utc" }).setLocale("en");
  return instant.toFormat("d LLLL yyyy, HH:mm:ss 'UTC'");
}

export interface DrawnSignature extends LoaSignature {
  readonly image: SignatureImage | null;
}

/** Draws the signature boxes, all on one page; they are empty in a preview. */
export function drawSignature(sheet: Sheet, signature: DrawnSignature | null): void {
  heading(sheet, "5   SIGNATURE", SIGNATURE_HEIGHT + ROW_HEIGHT + NOTE_SPACE);
  const wide = sheet.width * 0.62;
  const narrow = sheet.width - wide;
  const upper = { y: sheet.y, height: SIGNATURE_HEIGHT };
  const lower = { y: sheet.y + SIGNATURE_HEIGHT, height: ROW_HEIGHT };
  const right = { x: sheet.left + wide, width: narrow };
  const left = { x: sheet.left, width: wide };
  drawCell(sheet, { ...left, ...upper, label: "Signature", value: "" });
  drawCell(sheet, {
    ...right,
    ...upper,
    label: "Date",
    value: signature === null ? "" : writtenInstant(signature.signed_at).replace(", ", "\n"),
  });
  drawCell(sheet, {
    ...left,
    ...lower,
    label: "Name in print",
    value: signature?.signer_name ?? "",
  });
  drawCell(sheet, { ...right, ...lower, label: "Title", value: signature?.signer_title ?? "" });
  if (signature === null) {
    const style = {
      x: sheet.left + 30,
      y: sheet.y + 36,
      width: wide,
      size: 9,
      color: COLORS.missing,
    };
    write(sheet, "not signed", { ...style, font: "oblique" });
  } else drawSigner(sheet, signature, wide);
  sheet.y += SIGNATURE_HEIGHT + ROW_HEIGHT + PADDING;
  write(sheet, noteOf(signature), {
    x: sheet.left,
    y: sheet.y,
    width: sheet.width,
    size: 7,
    color: COLORS.label,
  });
  sheet.y += NOTE_SPACE - PADDING;
}

function noteOf(signature: DrawnSignature | null): string {
  if (signature === null) {
    return "This is a preview of the letter, filled from the order as it is now. It authorizes nothing until it is signed.";
  }
  const { signer_name: name, signed_at: at } = signature;
  return `Signed electronically: ${name} agreed to sign this letter by electronic means, and did so, on ${writtenInstant(at)}.`;
}

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: string;
  readonly value: string;
}

function drawCell(sheet: Sheet, { label, value, ...area }: Cell): void {
  box(sheet, area);
  const width = area.width - 2 * PADDING;
  const x = area.x + PADDING;
  write(sheet, label, { x, y: area.y + 4, width, size: 6.5, color: COLORS.label });
  if (value === "") return;
  const size = sizeToFit(sheet, value, { width, height: area.height - 16, largest: 9.5 });
  write(sheet, value, { x, y: area.y + 14, width, size });
}

/** Draws the signature image, or the name in its place. */
function drawSigner(
  sheet: Sheet,
  { image, signer_name: name }: DrawnSignature,
  width: number,
): void {
  const x = sheet.left + 30;
  const y = sheet.y + 12;
  const area = { width: width - 60, height: SIGNATURE_HEIGHT - 18 };
  if (image !== null) {
    sheet.doc.image(image.png, x, y, { fit: [area.width, area.height], valign: "center" });
    return;
  }
  const size = sizeToFit(sheet, name, { ...area, largest: LARGEST_NAME, font: "oblique" });
  const height = heightOf(sheet, name, { width: area.width, size, font: "oblique" });
  const top = y + (area.height - height) / 2;
  write(sheet, name, { x, y: top, width: area.width, size, font: "oblique", color: COLORS.accent });
}
