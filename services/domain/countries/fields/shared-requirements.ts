import type { Code } from "./code.ts";
import type { AddressFormat, Field } from "./requirement-definition.ts";

interface DocumentTexts {
  readonly name: string;
  readonly description: string;
  /** A short description of an acceptable document. */
  readonly example: string;
}

export function documentField(slug: string, texts: DocumentTexts): Field {
  return { slug, ...texts, sensitivity: "no", value: { format: "document" } };
}

/** Where carriers mostly refuse electronic signatures. */
export const SIGNED_BY_HAND = "Most carriers take it only signed by hand.";

/** The letter of authorization; `must` describes what the country's carriers require in it. */
export function letterOfAuthorization(must = "It must list every number of the order."): Field {
  return documentField("loa", {
    name: "Letter of authorization",
    description: `The account holder's signed and dated authority to port the numbers: sign it here, or upload your own. ${must}`,
    example: "A signed and dated letter of authorization that lists every number of the order.",
  });
}

export const INVOICE = documentField("invoice", {
  name: "Invoice of the losing carrier",
  description:
    "The latest invoice of the losing carrier, showing the account holder, the address and the numbers.",
  example: "All pages of the latest monthly invoice, as PDF.",
});

export const PROOF_OF_ADDRESS = documentField("proof_of_address", {
  name: "Proof of address",
  description:
    "A utility bill, rent or tax notice, not older than three months, with the account holder's name and the address where the numbers are in service.",
  example: "A water or electricity bill of last month, as PDF.",
});

export const ID_DOCUMENT = documentField("id_document", {
  name: "Identity document",
  description:
    "A valid passport or identity card of the account holder, or of the person who signs for the business.",
  example: "Both sides of the identity card, as PDF or photo.",
});

const NAME_LENGTH = 128;

/** The texts of a field, without the properties that follow from its format. */
type ValueTexts = Omit<Field, "slug" | "sensitivity" | "value">;

/** A name or other short text of any printable characters. */
export function nameField(slug: string, texts: ValueTexts): Field {
  const value = { format: "text", minLength: 1, maxLength: NAME_LENGTH } as const;
  return { slug, ...texts, sensitivity: "no", value };
}

/** A choice between options; the first is the example. */
export function choiceField(
  slug: string,
  texts: Omit<ValueTexts, "example">,
  options: readonly [string, ...string[]],
): Field {
  const value = { format: "choice", options } as const;
  return { slug, ...texts, example: options[0], sensitivity: "no", value };
}

export function codeField(slug: string, texts: ValueTexts, code: Code): Field {
  return { slug, ...texts, sensitivity: "no", value: { format: "code", code } };
}

function phoneNumberField(slug: string, texts: ValueTexts): Field {
  return { slug, ...texts, sensitivity: "no", value: { format: "phone_number" } };
}

export const ENTITY_NAME = nameField("entity_name", {
  name: "Account holder",
  description:
    "The business or person that holds the account, written as in the losing carrier's records.",
  example: "Acme Dental LLC",
  letter: "customer",
});

export const AUTH_PERSON_NAME = nameField("auth_person_name", {
  name: "Authorized person",
  description:
    "The person who may order changes to the account at the losing carrier. Signs the letter.",
  example: "Grace Hopper",
  letter: "customer",
});

export const BIRTH_DATE: Field = {
  slug: "birth_date",
  name: "Date of birth",
  description:
    "The date of birth of the person who holds the account, which the losing carrier may compare.",
  sensitivity: "no",
  example: "1980-05-17",
  letter: "customer",
  value: { format: "date", isPast: true },
};

export const ACCOUNT_NUMBER: Field = {
  slug: "account_number",
  name: "Account number",
  description: "The account number at the losing carrier, as printed on its invoice.",
  sensitivity: "masked",
  example: "8772-114-90210",
  letter: "account",
  value: {
    format: "text",
    minLength: 1,
    maxLength: 64,
    shape: {
      pattern: /^[\p{L}\p{N}][\p{L}\p{N} ./#_-]*$/u,
      form: "letters and digits, with spaces and . / # _ - allowed after the first character, such as 8772-114-90210",
    },
  },
};

export const PIN_PASSCODE: Field = {
  slug: "pin_passcode",
  name: "PIN or passcode",
  description:
    "The account's PIN, or the passcode that the losing carrier gave for the port. It is never shown again.",
  sensitivity: "hidden",
  example: "4711",
  value: {
    format: "text",
    minLength: 1,
    maxLength: 32,
    shape: {
      pattern: /^[\x21-\x7e]+$/,
      form: "unaccented letters, digits and symbols, without spaces, such as 4711",
    },
  },
};

export const PORT_TYPE = choiceField(
  "port_type",
  {
    name: "Full or partial port",
    description:
      "Whether all numbers of the account are ported, or some stay with the losing carrier.",
    letter: "line",
  },
  ["full", "partial"],
);

export function billingPhoneNumber(example: string): Field {
  return phoneNumberField("billing_phone_number", {
    name: "Billing telephone number",
    description: "The main number of the account, which need not be among the ported numbers.",
    example,
    letter: "account",
  });
}

export function newBillingPhoneNumber(example: string): Field {
  return phoneNumberField("new_billing_phone_number", {
    name: "New billing telephone number",
    description:
      "The number that the losing carrier will bill to, if the old one is ported and others stay.",
    example,
    letter: "line",
  });
}

export function serviceAddress(example: string, format: AddressFormat): Field {
  return {
    slug: "service_address",
    name: "Service address",
    description:
      "Where the numbers are in service (not the billing address), as in the losing carrier's records.",
    sensitivity: "no",
    example,
    letter: "customer",
    value: { format: "address", ...format },
  };
}

export function billingAddress(example: string, format: AddressFormat): Field {
  return {
    slug: "billing_address",
    name: "Billing address",
    description:
      "Where the losing carrier sends its invoices, if that is not the service address. The letter states it.",
    sensitivity: "no",
    example,
    letter: "customer",
    value: { format: "address", ...format },
  };
}

export function postalCode(example: string, code: Code): Field {
  const name = "Postal code";
  const description = "The postal code of the account's billing address.";
  return codeField("postal_code", { name, description, example, letter: "customer" }, code);
}
