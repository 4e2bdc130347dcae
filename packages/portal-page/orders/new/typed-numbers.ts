import type { z } from "zod";
import type { portabilityCheckAnswer } from "../../../../services/domain/number/answers/number-answer.ts";
import { Problem } from "../../../ui/http/request.ts";
import { e164Of } from "../../order-form/given-values.ts";

export type Check = z.infer<typeof portabilityCheckAnswer>;

/** As many as one request takes. */
export const MAX_NUMBERS = 1_000;

/** What was typed or pasted: a number a line, or several with commas, semicolons, tabs, or a `+` between them. */
function splitNumbers(text: string): string[] {
  const parts = text.split(/[\n\r,;\t]+|\s+(?=\+)/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** In E.164; what cannot be a number stays as it was typed, for the service to refuse it by that. */
function readNumber(typed: string, country: string): string {
  const number = e164Of(typed, country);
  return /^\+\d{7,15}$/.test(number) ? number : typed;
}

/** Each number once. */
export function numbersOf(text: string, country: string): string[] {
  return [...new Set(splitNumbers(text).map((number) => readNumber(number, country)))];
}

/** The text without some numbers, one a line. */
export function textWithout(text: string, country: string, left: ReadonlySet<string>): string {
  return splitNumbers(text)
    .filter((number) => !left.has(readNumber(number, country)))
    .join("\n");
}

const CELL = /[,;\t](?:"((?:[^"]|"")*)"|([^,;\t]*))/g;

function cellsOf(line: string): string[] {
  const cells = `,${line}`.matchAll(CELL);
  return [...cells].map(([, quoted, plain = ""]) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  );
}

/** As titles of columns have it, the plainest first. */
const TITLES = [/phone|msisdn|tele|\bdids?\b|\btns?\b/i, /^numbers?$/i, /number/i];

function isLikeNumber(cell: string): boolean {
  return /^[\d\s()./+\u2010-\u2015-]+$/u.test(cell) && cell.replaceAll(/\D/g, "").length >= 7;
}

/**
 * The numbers in a file from a spreadsheet: those of the column with such a title, else of each row the first cell that
 * looks like one. A row without any keeps its first text, so that nothing is left out unseen.
 */
export function numbersInFile(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const rows = lines.map(cellsOf).filter((cells) => cells.some((cell) => cell !== ""));
  const [first = []] = rows;
  if (first.some(isLikeNumber)) return rows.map(numberIn);
  const title = TITLES.find((one) => first.some((cell) => one.test(cell)));
  const column = title === undefined ? -1 : first.findIndex((cell) => title.test(cell));
  const below = rows.slice(1);
  if (column < 0) return below.map(numberIn);
  return below.map((cells) => cells[column] ?? "").filter((cell) => cell !== "");
}

function numberIn(cells: readonly string[]): string {
  return cells.find(isLikeNumber) ?? cells.find((cell) => cell !== "") ?? "";
}

/** Numbers that one order will have: as the service splits a request. */
export interface Group {
  readonly country_code: string;
  readonly number_type: NonNullable<Check["number_type"]>;
  readonly losing_carrier: string | null;
  readonly earliest_foc: string | null;
  readonly numbers: readonly string[];
}

/** The orders that a request will become; `carrier` is the one that it names for all of its numbers. */
export function groupsOf(checks: readonly Check[], carrier: string): Group[] {
  const groups = new Map<string, Group>();
  for (const check of checks) {
    const { country_code, number_type, earliest_foc, phone_number: number } = check;
    if (!check.portable || country_code === null || number_type === null) continue;
    const losing_carrier = carrier === "" ? check.losing_carrier : carrier;
    const key = JSON.stringify([country_code, number_type, losing_carrier]);
    const before = groups.get(key)?.numbers ?? [];
    const numbers = [...before, number];
    groups.set(key, { country_code, number_type, losing_carrier, earliest_foc, numbers });
  }
  return [...groups.values()];
}

const REASONS: Readonly<Record<NonNullable<Check["reason"]>, string>> = {
  invalid_number:
    "It is not a phone number. Write it with + and its country code, or choose its country above.",
  country_not_supported: "Numbers of this country or kind cannot be ported to us.",
  already_active: "It is live on your account already.",
  number_in_active_order: "Another order of yours is porting it already.",
};

export interface NumberFault {
  readonly number: string;
  readonly why: string;
}

/** The numbers that cannot be ordered, as they were checked. */
export function faultsOfChecks(checks: readonly Check[]): NumberFault[] {
  return checks.flatMap(({ phone_number: number, reason }) =>
    reason === null ? [] : [{ number, why: whyNot(number, reason) }],
  );
}

function whyNot(number: string, reason: NonNullable<Check["reason"]>): string {
  // A spreadsheet shows `1.21256E+10` for a number that it takes for an amount, and its digits are lost.
  return /\de\+\d/i.test(number)
    ? "Your spreadsheet has rounded it. Format the column as text, and export it again."
    : REASONS[reason];
}

/** The numbers that the service refused, by their place in what was sent. */
export function faultsOfRefusal(error: unknown, sent: readonly string[]): NumberFault[] {
  if (!(error instanceof Problem)) return [];
  return error.faults.flatMap(({ pointer = "", detail: why }) => {
    const place = /^#\/phone_numbers\/(\d+)$/.exec(pointer)?.[1];
    const number = place === undefined ? undefined : sent[Number(place)];
    return number === undefined ? [] : [{ number, why }];
  });
}
