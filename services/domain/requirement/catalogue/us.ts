import type { RequirementDefinition } from "../requirement-definition.ts";

const MAX_AGE_DAYS = 30;
/** Two letters of a state or territory, and a ZIP code with or without its four digits more. */
const STATE_AND_ZIP = /^[A-Z]{2} \d{5}(-\d{4})?$/;

/** US and CA number plans share these fields; what differs is the address (reference: 47 CFR 52.36, carriers' LSRs). */
export const US_LOCAL: readonly RequirementDefinition[] = [
  {
    slug: "loa",
    name: "Letter of authorization",
    description:
      "The account holder's signed authority to move the numbers. Sign it here, or upload one that is signed and dated.",
    mandatory: true,
    sensitivity: "no",
    example: "A signed and dated letter of authorization that names every number of the order.",
    value: { format: "document", maxAgeDays: MAX_AGE_DAYS },
  },
  {
    slug: "invoice",
    name: "Invoice of the losing carrier",
    description:
      "The latest invoice of the losing carrier. It shows the account holder, the service address and the numbers.",
    mandatory: true,
    sensitivity: "no",
    example: "All pages of the latest monthly invoice, as PDF.",
    value: { format: "document", maxAgeDays: MAX_AGE_DAYS },
  },
  {
    slug: "entity_name",
    name: "Account holder",
    description:
      "The business or person that holds the account, written as the losing carrier has it.",
    mandatory: true,
    sensitivity: "no",
    example: "Acme Dental LLC",
    value: { format: "text", minLength: 1, maxLength: 128 },
  },
  {
    slug: "auth_person_name",
    name: "Authorized person",
    description:
      "The person at the losing carrier's account who may order changes. Signs the letter.",
    mandatory: true,
    sensitivity: "no",
    example: "Grace Hopper",
    value: { format: "text", minLength: 1, maxLength: 128 },
  },
  {
    slug: "service_address",
    name: "Service address",
    description:
      "Where the numbers are in service (not the billing address), as on the losing carrier's customer service record.",
    mandatory: true,
    sensitivity: "no",
    example: "350 5th Ave Suite 300\nNew York\nNY 10118\nUS",
    value: { format: "address", postalCode: STATE_AND_ZIP },
  },
  {
    slug: "account_number",
    name: "Account number",
    description: "The account's number at the losing carrier, as on its invoice.",
    mandatory: true,
    sensitivity: "masked",
    example: "8772-114-90210",
    value: {
      format: "text",
      minLength: 1,
      maxLength: 64,
      pattern: /^[\p{L}\p{N}][\p{L}\p{N} ./#_-]*$/u,
    },
  },
  {
    slug: "billing_phone_number",
    name: "Billing telephone number",
    description: "The main number of the account (BTN), which need not be among those that move.",
    mandatory: true,
    sensitivity: "no",
    example: "+12125551234",
    value: { format: "phone_number" },
  },
  {
    slug: "pin_passcode",
    name: "PIN or passcode",
    description:
      "The account's PIN or port-out passcode, where it has one. It is never shown again.",
    mandatory: false,
    sensitivity: "hidden",
    example: "4711",
    value: { format: "text", minLength: 1, maxLength: 32, pattern: /^[\x21-\x7e]+$/ },
  },
  {
    slug: "csr",
    name: "Customer service record",
    description: "The losing carrier's record of the account, where it has been pulled already.",
    mandatory: false,
    sensitivity: "no",
    example: "The customer service record, as PDF.",
    value: { format: "document", maxAgeDays: null },
  },
  {
    slug: "port_type",
    name: "Full or partial port",
    description: "Whether all numbers of the account move, or some stay with the losing carrier.",
    mandatory: false,
    sensitivity: "no",
    example: "full",
    value: { format: "choice", options: ["full", "partial"] },
  },
  {
    slug: "new_billing_phone_number",
    name: "New billing telephone number",
    description:
      "The number that the losing carrier bills to from then on, where the old one moves and others stay.",
    mandatory: false,
    sensitivity: "no",
    example: "+12125551235",
    value: { format: "phone_number" },
  },
];
