import { z } from "zod";
import { optionalOrNull } from "../../platform/http/body/fields.ts";
import { isPng } from "./signature/png-chunks.ts";
import { MAX_SIGNATURE_BYTES } from "./signature/signature-image.ts";
import { checkTextLine } from "../requirements/check-value.ts";

const SIGNER = { format: "text", minLength: 1, maxLength: 128 } as const;
const MAX_BASE64_LENGTH = 4 * Math.ceil(MAX_SIGNATURE_BYTES / 3);

/** A single line of printable text, trimmed and in Unicode normal form. */
const line = z.string().transform((text, context) => {
  const checked = checkTextLine(SIGNER, text);
  if ("value" in checked) return checked.value;
  const { code, detail } = checked.fault;
  context.addIssue({ code: "custom", message: detail, params: { code } });
  return z.NEVER;
});

/** Bytes that start with a PNG signature; the worker thread that draws the image checks the rest. */
const picture = z
  .base64("It must be a PNG in base64, without a data: prefix.")
  .max(MAX_BASE64_LENGTH, `It may have at most ${MAX_BASE64_LENGTH} characters.`)
  .transform((text, context) => {
    const bytes = Buffer.from(text, "base64");
    if (isPng(bytes)) return bytes;
    context.addIssue({
      code: "custom",
      message: "It is not a PNG.",
      params: { code: "invalid_image" },
    });
    return z.NEVER;
  });

export const signBody = z
  .strictObject({
    signer_name: line.meta({
      description: "Who signs: one line of 1 to 128 characters, the authorized person of the order",
      examples: ["Grace Hopper"],
    }),
    signer_title: optionalOrNull(line).meta({
      description: "The signer's position, one line of 1 to 128 characters",
      examples: ["Director"],
    }),
    signature_image: optionalOrNull(picture).meta({
      description: `A drawn signature: a PNG in base64, up to ${MAX_BASE64_LENGTH} characters`,
    }),
    consent: z
      .literal(true, "It must be true: the signer consents to sign electronically.")
      .describe("That the signer consents to sign electronically"),
  })
  .meta({ examples: [{ signer_name: "Grace Hopper", signer_title: "Director", consent: true }] });
