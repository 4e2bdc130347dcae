import { createHash } from "node:crypto";
import { z } from "zod";
import { refusalOfSigning, type LoaSigning } from "../../domain/order/rules/decide-loa.ts";
import { loaContentOf, type LoaContent } from "../../domain/order/rules/loa-content.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { refusalError } from "../../domain/order/store/order-commands.ts";
import { letterFormOf, LETTER_LANGUAGES } from "../../domain/terms/rules/letter-terms.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import { optionalOrNull } from "../../platform/http/body/fields.ts";
import type { Preparing } from "../../platform/http/routing/preparing.ts";
import { newId } from "../../platform/ids.ts";
import type { ApiDeps } from "../api-deps.ts";
import { checkTextLine } from "../requirements/check-value.ts";
import type { PrintAnswer } from "./letter/render-loa.ts";
import { signerFaults } from "./signer.ts";
import { isPng, MAX_SIGNATURE_BYTES } from "./signature-image.ts";

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

export const language = z.enum(LETTER_LANGUAGES);
export const LANGUAGE =
  "The language of the letter, where the country's carriers read it; their usual one otherwise";

/** How a letter of authorization is signed. */
export const signature = z
  .strictObject({
    signer_name: line.meta({
      description: "Who signs: one line of 1 to 128 characters, the authorized person of the order",
      examples: ["Grace Hopper"],
    }),
    signer_title: optionalOrNull(line).meta({
      description: "The signer's position, one line of 1 to 128 characters",
      examples: ["Director"],
    }),
    language: optionalOrNull(language).describe(LANGUAGE),
    signature_image: optionalOrNull(picture).meta({
      description: `A drawn signature: a PNG in base64, up to ${MAX_BASE64_LENGTH} characters`,
    }),
    consent: z
      .literal(true, "It must be true: the signer consents to sign electronically.")
      .describe("That the signer consents to sign electronically"),
  })
  .meta({ examples: [{ signer_name: "Grace Hopper", signer_title: "Director", consent: true }] });

export type LetterDeps = Pick<
  ApiDeps,
  "bus" | "files" | "printer" | "carrier" | "terms" | "maxUploadedBytes"
>;

/** A customer's request to sign; the image is a PNG that is not checked yet. */
export type Signature = z.output<typeof signature>;

export interface MadeLetter {
  /** The values of the order by which it is signed. */
  readonly stated: LoaContent;
  readonly pdf: Buffer;
  readonly pageTexts: readonly string[];
  readonly signing: LoaSigning;
}

/** Printed before the order's state is judged: only the printer finds every fault of the request. */
export async function makeLetter(
  { bus, printer, carrier, terms }: LetterDeps,
  preparing: Preparing,
  { order, by }: { readonly order: Order; readonly by: Signature },
): Promise<MadeLetter> {
  const { signer_name, signer_title = null, signature_image: image = null } = by;
  const { language: wished = null } = by;
  const signed_at = bus.clock.now();
  const stated = loaContentOf(order);
  const answer = await printer.print(preparing, {
    content: stated,
    carrier,
    form: letterFormOf(terms(order.country_code, order.provider), wished),
    signature: { signer_name, signer_title, signed_at, image },
    printedAt: signed_at,
  });
  const faults = [...signerFaults(order, signer_name), ...faultsOf(answer)];
  if (answer.kind === "bad_image" || faults.length > 0) throw invalid(faults);
  const refusal = refusalOfSigning(order);
  if (refusal !== null) throw refusalError(refusal);
  refuseUnprintable(answer.unprintable);
  const { pdf, pageTexts } = answer;
  const sha256 = createHash("sha256").update(pdf).digest("hex");
  const signing = { document_id: newId(signed_at), sha256, signer_name, signed_at };
  return { stated, pdf, pageTexts, signing };
}

const OF_REQUEST: ReadonlySet<string> = new Set(["signer_name", "signer_title"]);

function invalid(faults: readonly Fault[]): AppError {
  const detail = "The letter cannot be signed with the values sent.";
  return new AppError("validation_failed", detail, { faults });
}

const UNPRINTABLE =
  "The letter cannot show every character of this value: it has Latin, Greek, Cyrillic, Armenian and Georgian letters, with the accents that Unicode joins to them. Upload your own letter instead.";

/** What the printer finds wrong with the request itself. */
function faultsOf(answer: PrintAnswer): Fault[] {
  const sent = answer.unprintable.filter((slug) => OF_REQUEST.has(slug));
  const faults = sent.map((slug) => {
    return { pointer: `#/${slug}`, code: "invalid_characters", detail: UNPRINTABLE };
  });
  if (answer.kind !== "bad_image") return faults;
  return [...faults, { pointer: "#/signature_image", ...answer.fault }];
}

/** A letter that shows a name with missing characters has no legal value, so it is not signed. */
function refuseUnprintable(slugs: readonly string[]): void {
  const faults = slugs.map((slug) => {
    return { pointer: `#/requirements/${slug}`, code: "unprintable", detail: UNPRINTABLE };
  });
  if (faults.length === 0) return;
  throw new AppError("not_ready", "The letter cannot show some of its values.", { faults });
}
