import type { Country } from "./country.ts";
import { spacedPostcode, type Code } from "./fields/code.ts";
import { perNumber, profile, type AddressFormat } from "./fields/requirement-definition.ts";
import {
  ACCOUNT_NUMBER,
  AUTH_PERSON_NAME,
  billingAddress,
  billingPhoneNumber,
  documentField,
  ENTITY_NAME,
  INVOICE,
  letterOfAuthorization,
  nameField,
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

/** Wireless carriers give a PIN for each number that leaves. */
const TRANSFER_PIN = perNumber({
  ...PIN_PASSCODE,
  name: "Transfer PIN",
  description:
    "The number's transfer PIN, or the account's PIN where the losing carrier gives none. It is never shown again.",
});

const CSR = documentField("csr", {
  name: "Customer service record",
  description: "The losing carrier's record of the account, if it has already been obtained.",
  example: "The customer service record, as PDF.",
});

const ZIP_CODE: Code = {
  name: "us_zip_code",
  form: "a ZIP code of 5 digits such as 10118, or of 9 as in 10118-0001",
  pattern: /^\d{5}(?:-\d{4})?$/,
  normalize: (text) => text,
};

const CA_POSTAL_CODE: Code = {
  name: "ca_postal_code",
  form: "a Canadian postal code, such as M5V 3L9",
  pattern: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d$/,
  normalize: spacedPostcode,
};

const ADDRESSES = {
  US: {
    country: "US",
    area: { pattern: /^[A-Z]{2}$/, form: "the state's two letters, such as NY," },
    postalCode: ZIP_CODE,
  },
  CA: {
    country: "CA",
    area: { pattern: /^[A-Z]{2}$/, form: "the province's two letters, such as ON," },
    postalCode: CA_POSTAL_CODE,
  },
} as const satisfies Readonly<Record<string, AddressFormat>>;

const RESELLER_NAME = nameField("reseller_name", {
  name: "Reseller",
  description:
    "The company that the customer pays, where it is a reseller of the losing carrier: carriers compare it.",
  example: "Example Resale Inc.",
  letter: "account",
  exception: "reseller_mismatch",
});

/**
 * The United States and Canada share the numbering plan, the carriers' hours (47 CFR 52.35) and the order forms
 * (47 CFR 52.36); their addresses differ.
 */
export function northAmericanCountry(country: {
  /** ISO 3166-1 alpha-2. */
  readonly code: keyof typeof ADDRESSES;
  readonly form: RegExp | null;
  readonly exampleAddress: string;
  readonly examplePostalCode: string;
  /** Whether the letter states where invoices are sent. */
  readonly hasBillingAddress: boolean;
  /** Two numbers of the country, on the same account. */
  readonly exampleNumbers: readonly [billing: string, newBilling: string];
}): Country {
  const { code, exampleNumbers } = country;
  const format = ADDRESSES[code];
  const address = serviceAddress(country.exampleAddress, format);
  // Toll-free numbers of the plan may be held, and answered, in any of its countries.
  const abroad = Object.values(ADDRESSES).filter((other) => other !== format);
  const anywhere = serviceAddress(country.exampleAddress, { ...format, abroad });
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
          [
            LOA,
            INVOICE,
            ENTITY_NAME,
            AUTH_PERSON_NAME,
            address,
            ACCOUNT_NUMBER,
            billingPhoneNumber(billing),
          ],
          [
            PIN_PASSCODE,
            CSR,
            PORT_TYPE,
            newBillingPhoneNumber(newBilling),
            RESELLER_NAME,
            ...invoiced,
          ],
        ),
      },
      mobile: {
        requirements: profile(
          [
            LOA,
            ENTITY_NAME,
            ACCOUNT_NUMBER,
            TRANSFER_PIN,
            postalCode(country.examplePostalCode, format.postalCode),
          ],
          [INVOICE, ...invoiced],
        ),
      },
      /** Porting toll-free numbers is a change of the responsible organization. */
      toll_free: {
        requirements: profile(
          [TOLL_FREE_LOA, INVOICE, ENTITY_NAME, AUTH_PERSON_NAME, anywhere],
          invoiced,
        ),
      },
    },
  };
}
