import { z } from "zod";
import { DOCUMENT_TYPES } from "../../domain/document/rules/accepted-documents.ts";
import { documentTypeOf } from "../../domain/document/rules/document-type.ts";
import type { Clock } from "../../platform/clock.ts";
import { formFile } from "../../platform/http/body/fields.ts";

/** Before it Postgres writes dates in a form of its own, which nobody else reads. */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");
/** Somewhere it is tomorrow already. */
const MOST_AHEAD_MS = 86_400_000;

const documentFile = formFile()
  .refine(({ size }) => size > 0, {
    abort: true,
    error: "The file is empty.",
    params: { code: "empty_document" },
  })
  .refine(({ head }) => documentTypeOf(head) !== null, {
    error: `By its content it is none of ${DOCUMENT_TYPES.join(", ")}.`,
    params: { code: "unsupported_document_type" },
  });

/** A document with its date, as PATCH of a requirement takes it. */
export function documentForm(clock: Clock) {
  return z.strictObject({
    file: documentFile,
    document_date: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(Math.max(Date.parse(text), EARLIEST_MS)))
      .refine((date) => date.getTime() <= clock.now().getTime() + MOST_AHEAD_MS, {
        error: "It lies more than 24 hours ahead.",
        params: { code: "date_out_of_range" },
      }),
  });
}
