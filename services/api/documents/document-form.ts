import { z } from "zod";
import {
  DOCUMENT_TYPES,
  documentTypeOf,
  MAX_DOCUMENT_BYTES,
} from "../../domain/document/rules/document.ts";
import { writtenInstant } from "../../platform/calendar/instant-text.ts";
import type { Clock } from "../../platform/clock.ts";
import { formFile } from "../../platform/http/body/fields.ts";

/** Postgres writes earlier dates with a BC suffix, which other programs do not parse. */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");
/** Allows for time zones in which it is already tomorrow. */
const MAX_AHEAD_MS = 86_400_000;
const MIB = 1024 * 1024;
const NO_TIME =
  "It must be a time with an offset; of a plain day, its beginning, such as 2026-12-01T00:00:00+01:00.";

const documentFile = formFile()
  .refine(({ size }) => size > 0, {
    abort: true,
    error: "The file is empty: it has 0 bytes.",
    params: { code: "empty_document" },
  })
  .refine(({ head }) => documentTypeOf(head) !== null, {
    error: `The file's content is not one of ${DOCUMENT_TYPES.join(", ")}.`,
    params: { code: "unsupported_document_type" },
  });

/** A document and its date, as PATCH of a requirement accepts them. */
export function documentForm(clock: Clock) {
  return z.strictObject({
    file: documentFile.meta({
      type: "string",
      format: "binary",
      description: `The document, up to ${MAX_DOCUMENT_BYTES / MIB} MiB: ${DOCUMENT_TYPES.join(", ")}`,
    }),
    document_date: writtenInstant(NO_TIME)
      .meta({
        description:
          "When the document was issued: a time in ISO 8601 with an offset, at most 24 hours ahead. Of a plain day, send its beginning",
        examples: ["2026-12-01T00:00:00+01:00"],
      })
      .transform((text) => new Date(Math.max(Date.parse(text), EARLIEST_MS)))
      .refine((date) => date.getTime() <= clock.now().getTime() + MAX_AHEAD_MS, {
        error: () => `It must be at most 24 hours ahead; now it is ${clock.now().toISOString()}.`,
        params: { code: "date_out_of_range" },
      }),
  });
}
