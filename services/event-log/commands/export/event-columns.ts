import type { LoggedEvent } from "../../store/log-export.ts";

export type ColumnType = "text" | "number" | "instant";

/** One column of an exported table. */
export interface EventColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** An instant is ISO 8601 in UTC with milliseconds. */
  readonly value: (event: LoggedEvent) => string | number | null;
}

const PAYLOAD = '"payload":';

/** The payload of a body, exactly as webhooks carry it: `serializeEvent` writes it last. */
function payloadOf({ body }: LoggedEvent): string {
  const text = body.toString();
  return text.slice(text.indexOf(PAYLOAD) + PAYLOAD.length, -1);
}

/**
 * When an event was stored, in the milliseconds that every other time of every format has; the log's own microseconds
 * only order it. Cut, not rounded: `--since` with it leaves nothing out.
 */
export function storedAtOf({ stored_at }: Pick<LoggedEvent, "stored_at">): string {
  return stored_at.replace(/(?<=\.\d{3})\d+(?=Z$)/, "");
}

/** The columns of CSV and Parquet (docs/analytics.md, Export). A new one goes last, so that files can be continued. */
export const EVENT_COLUMNS: readonly EventColumn[] = [
  { name: "id", type: "text", value: ({ id }) => id },
  { name: "type", type: "text", value: ({ type }) => type },
  { name: "account_id", type: "text", value: ({ account_id }) => account_id },
  { name: "seq", type: "number", value: ({ seq }) => seq },
  { name: "order_id", type: "text", value: ({ order_id }) => order_id },
  { name: "sequence_key", type: "text", value: ({ sequence_key }) => sequence_key },
  { name: "order_sequence", type: "number", value: ({ order_sequence }) => order_sequence },
  { name: "created_at", type: "instant", value: ({ created_at }) => created_at.toISOString() },
  { name: "stored_at", type: "instant", value: storedAtOf },
  { name: "provider", type: "text", value: ({ context }) => context?.provider ?? null },
  { name: "losing_carrier", type: "text", value: ({ context }) => context?.losing_carrier ?? null },
  { name: "number_type", type: "text", value: ({ context }) => context?.number_type ?? null },
  { name: "country_code", type: "text", value: ({ context }) => context?.country_code ?? null },
  {
    name: "rejection_code",
    type: "text",
    value: ({ context }) => context?.rejection?.code ?? null,
  },
  {
    name: "rejection_slug",
    type: "text",
    value: ({ context }) => context?.rejection?.slug ?? null,
  },
  {
    name: "rejection_text",
    type: "text",
    value: ({ context }) => context?.rejection?.text ?? null,
  },
  { name: "occurred_at", type: "instant", value: ({ context }) => context?.occurred_at ?? null },
  { name: "actor", type: "text", value: ({ context }) => context?.actor ?? null },
  { name: "payload", type: "text", value: payloadOf },
];
