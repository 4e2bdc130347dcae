import type { Country } from "./country.ts";
import type { Code } from "./fields/code.ts";
import { profile, type AddressFormat } from "./fields/requirement-definition.ts";
import {
  ACCOUNT_NUMBER,
  AUTH_PERSON_NAME,
  billingAddress,
  billingPhoneNumber,
  documentField,
  ENTITY_NAME,
  INVOICE,
  letterOfAuthorization,
  newBillingPhoneNumber,
  PIN_PASSCODE,
  PORT_TYPE,
  postalCode,
  serviceAddress,
} from "./fields/shared-requirements.ts";

const LOA = letterOfAuthorization();
const TOLL_FREE_LOA = letterOfAuthorization(
  "It must list every number and name the responsible organization (RespOrg) that takes them over.",
);

const CSR = documentField("csr", {
  name: "Customer service record",
  description: "The losing carrier's record of the account, if it has already been obtained.",
  example: "The customer service record, as PDF.",
});

/**
 * The United States and Canada share the numbering plan, the carriers' hours (47 CFR 52.35) and the order forms
 * (47 CFR 52.36); their addresses differ.
 */
export function northAmericanCountry(country: {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly form: RegExp | null;
  readonly postalCode: Code;
  readonly area: AddressFormat["area"];
  readonly exampleAddress: string;
  readonly examplePostalCode: string;
  /** Whether the letter states where invoices are sent. */
  readonly hasBillingAddress: boolean;
  /** Two numbers of the country, on the same account. */
  readonly exampleNumbers: readonly [billing: string, newBilling: string];
}): Country {
  const { code, area, postalCode: postal, exampleNumbers } = country;
  const format = { country: code, area, postalCode: postal };
  const address = serviceAddress(country.exampleAddress, format);
  const holder = [ENTITY_NAME, AUTH_PERSON_NAME, address];
  const [billing, newBilling] = exampleNumbers;
  const invoiced = country.hasBillingAddress
    ? [billingAddress(country.exampleAddress, format)]
    : [];
  return {
    numbering: {
      territories: [code],
      form: country.form,
      typeByPrefix: {},
      leavesTypeOpen: true,
      hasRespOrgs: true,
    },
    paperSize: "LETTER",
    types: {
      local: {
        requirements: profile(
          [LOA, INVOICE, ...holder, ACCOUNT_NUMBER, billingPhoneNumber(billing)],
          [PIN_PASSCODE, CSR, PORT_TYPE, newBillingPhoneNumber(newBilling), ...invoiced],
        ),
      },
      mobile: {
        requirements: profile(
          [
            LOA,
            ENTITY_NAME,
            ACCOUNT_NUMBER,
            PIN_PASSCODE,
            postalCode(country.examplePostalCode, postal),
          ],
          [INVOICE, ...invoiced],
        ),
      },
      /** Porting toll-free numbers is a change of the responsible organization. */
      toll_free: {
        requirements: profile([TOLL_FREE_LOA, INVOICE, ...holder], invoiced),
      },
    },
  };
}
