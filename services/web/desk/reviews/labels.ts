/** `toll_free` as a person reads it. */
export function wordsOf(code: string): string {
  return code.replaceAll("_", " ");
}

/** Requirements whose names are not the words of their slugs. */
const FIELDS: Readonly<Record<string, string>> = {
  entity_name: "account holder",
  auth_person_name: "authorized person",
  billing_phone_number: "billing number",
  new_billing_phone_number: "new billing number",
  birth_date: "date of birth",
  loa: "LOA",
  pin_passcode: "PIN",
};

/** A requirement in a list, where its full name would be too long. */
export function fieldWords(slug: string): string {
  return FIELDS[slug] ?? wordsOf(slug);
}

/** The name of a requirement, of which a case knows its own. */
export function nameOf(requirements: readonly Named[], slug: string): string {
  return requirements.find((one) => one.slug === slug)?.name ?? wordsOf(slug);
}

interface Named {
  readonly slug: string;
  readonly name: string;
}

/** The end of an id, because ids of the same minute begin alike. */
export function shortId(id: string): string {
  return `…${id.slice(-8)}`;
}

/** `customer_reference`, or else the end of the id. */
export function orderTitle(orderId: string, reference: string): string {
  return reference === "" ? `Order ${shortId(orderId)}` : reference;
}
