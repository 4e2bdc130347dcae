import type { LoggedEvent } from "../../store/log-export.ts";
import { csvCell } from "../../../platform/http/csv.ts";
import { UUID_PATTERN } from "../../../platform/ids.ts";
import { EVENT_COLUMNS, storedAtOf } from "./event-columns.ts";

/** A format of one event per line. */
export interface LineFormat {
  /** With which every file of the format begins. */
  readonly opening: string;
  /** The first line, without its line ending; null if the events begin at once. */
  readonly header: string | null;
  readonly line: (event: LoggedEvent) => string;
  /** The id of a line's event; null if it is not such a line. */
  readonly idOf: (line: string) => string | null;
}

const ND_LINE = new RegExp(`"event":\\{"id":"(${UUID_PATTERN})"`);
const CSV_LINE = new RegExp(`^(${UUID_PATTERN}),`);

/** The envelope, and in `event` the bytes that webhooks carry. */
function jsonLine({ body, context, ...event }: LoggedEvent): string {
  const { account_id, seq, order_id, sequence_key, order_sequence } = event;
  const stored_at = storedAtOf(event);
  const place = { account_id, seq, order_id, sequence_key, order_sequence, stored_at };
  return `${JSON.stringify({ ...place, ...context }).slice(0, -1)},"event":${body.toString()}}`;
}

/** Programs join on it; as a formula it would be nothing but itself. */
const PHONE_NUMBER = /^\+\d+$/;

/** Without line breaks in a cell, so that a line is an event. */
function csvText(value: string | number | null): string {
  if (typeof value !== "string") return String(value ?? "");
  return PHONE_NUMBER.test(value) ? value : csvCell(value.replace(/[\r\n]+/g, " "));
}

const CSV_HEADER = EVENT_COLUMNS.map(({ name }) => name).join(",");

export const LINE_FORMATS = {
  ndjson: {
    opening: '{"account_id":',
    header: null,
    line: jsonLine,
    idOf: (line) => ND_LINE.exec(line)?.[1] ?? null,
  },
  csv: {
    opening: "id,type,",
    header: CSV_HEADER,
    line: (event) => EVENT_COLUMNS.map(({ value }) => csvText(value(event))).join(","),
    idOf: (line) => CSV_LINE.exec(line)?.[1] ?? null,
  },
} as const satisfies Record<string, LineFormat>;
