import type { Country } from "./country.ts";
import type { Code } from "./fields/code.ts";
import { profile } from "./fields/profile.ts";
import { documentField, INVOICE, letterOfAuthorization } from "./fields/shared-documents.ts";
import {
  ACCOUNT_NUMBER,
  AUTH_PERSON_NAME,
  billingPhoneNumber,
  ENTITY_NAME,
  newBillingPhoneNumber,
  PIN_PASSCODE,
  PORT_TYPE,
  postalCode,
  serviceAddress,
} from "./fields/shared-values.ts";

interface NorthAmericanPlace {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  /** Business days that a local number takes. */
  readonly localDays: number;
  readonly postalCode: Code;
  readonly exampleAddress: string;
  readonly examplePostalCode: string;
  /** Two numbers of the place, of the same account. */
  readonly exampleNumbers: readonly [billing: string, newBilling: string];
}

const LOA = letterOfAuthorization();
const TOLL_FREE_LOA = letterOfAuthorization(
  "It names every number and the responsible organization (RespOrg) that takes them over.",
);

const CSR = documentField("csr", {
  name: "Customer service record",
  description: "The losing carrier's record of the account, where it has been pulled already.",
  example: "The customer service record, as PDF.",
});

/**
 * The United States and Canada share number plan, carriers' hours (47 CFR 52.35) and order forms (47 CFR 52.36); their
 * addresses differ.
 */
export function northAmericanCountry(place: NorthAmericanPlace): Country {
  const { code, postalCode: postal, exampleNumbers } = place;
  const format = { country: code, area: /^[A-Z]{2}$/, postalCode: postal };
  const address = serviceAddress(place.exampleAddress, format);
  const holder = [ENTITY_NAME, AUTH_PERSON_NAME, address];
  const [billing, newBilling] = exampleNumbers;
  return {
    numbering: { territories: [code], typeByPrefix: {}, leavesTypeOpen: true },
    calendar: { timeZone: "America/New_York", cutOffHour: 13, holidaysOf: code },
    paperSize: "LETTER",
    types: {
      local: {
        asksFor: profile(
          [LOA, INVOICE, ...holder, ACCOUNT_NUMBER, billingPhoneNumber(billing)],
          [PIN_PASSCODE, CSR, PORT_TYPE, newBillingPhoneNumber(newBilling)],
        ),
        leadTime: { days: place.localDays, hour: 10 },
      },
      mobile: {
        asksFor: profile(
          [
            LOA,
            ENTITY_NAME,
            ACCOUNT_NUMBER,
            PIN_PASSCODE,
            postalCode(place.examplePostalCode, postal),
          ],
          [INVOICE],
        ),
        leadTime: { days: 1, hour: 10 },
      },
      /** A change of the responsible organization. */
      toll_free: {
        asksFor: profile([TOLL_FREE_LOA, INVOICE, ...holder]),
        leadTime: { days: 2, hour: 8 },
      },
    },
  };
}
