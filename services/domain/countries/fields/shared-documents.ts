import type { Field } from "./profile.ts";

const LETTER_DAYS = 30;
const INVOICE_DAYS = 30;
const PROOF_OF_ADDRESS_DAYS = 90;

interface DocumentTexts {
  readonly name: string;
  readonly description: string;
  /** A short description of an acceptable document. */
  readonly example: string;
}

export function documentField(
  slug: string,
  texts: DocumentTexts,
  maxAgeDays: number | null = null,
): Field {
  return { slug, ...texts, sensitivity: "no", value: { format: "document", maxAgeDays } };
}

/** The letter of authorization; `must` describes what the country's carriers require in it. */
export function letterOfAuthorization(must = "It must list every number of the order."): Field {
  return documentField(
    "loa",
    {
      name: "Letter of authorization",
      description: `The account holder's signed and dated authority to port the numbers: sign it here, or upload your own. ${must}`,
      example: "A signed and dated letter of authorization that lists every number of the order.",
    },
    LETTER_DAYS,
  );
}

export const INVOICE = documentField(
  "invoice",
  {
    name: "Invoice of the losing carrier",
    description:
      "The latest invoice of the losing carrier, showing the account holder, the address and the numbers.",
    example: "All pages of the latest monthly invoice, as PDF.",
  },
  INVOICE_DAYS,
);

export const PROOF_OF_ADDRESS = documentField(
  "proof_of_address",
  {
    name: "Proof of address",
    description:
      "A utility bill, rent or tax notice, not older than three months, with the account holder's name and the address where the numbers are in service.",
    example: "A water or electricity bill of last month, as PDF.",
  },
  PROOF_OF_ADDRESS_DAYS,
);

export const ID_DOCUMENT = documentField("id_document", {
  name: "Identity document",
  description:
    "A valid passport or identity card of the account holder, or of the person who signs for the business.",
  example: "Both sides of the identity card, as PDF or photo.",
});
