import { z } from "zod";
import { DOCUMENT_TYPES } from "../../domain/document/accepted-documents.ts";
import { documentTypeOf } from "../../domain/document/document-type.ts";
import type { Clock } from "../../platform/clock.ts";
import { formFile, instant } from "../../platform/http/fields.ts";

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
    document_date: instant().refine(
      (date) => date.getTime() <= clock.now().getTime() + MOST_AHEAD_MS,
      {
        error: "It lies in the future.",
        params: { code: "date_out_of_range" },
      },
    ),
  });
}
