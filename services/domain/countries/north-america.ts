import type { AddressFormat } from "./fields/requirement-definition.ts";
import type { CountryProfiles } from "./fields/profile.ts";
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

export interface NorthAmericanPlace {
  readonly address: AddressFormat;
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

/** The United States and Canada share number plan and carriers' order forms (47 CFR 52.36); their addresses differ. */
export function northAmericanProfiles(place: NorthAmericanPlace): CountryProfiles {
  const address = serviceAddress(place.exampleAddress, place.address);
  const [billing, newBilling] = place.exampleNumbers;
  return {
    local: profile(
      [
        LOA,
        INVOICE,
        ENTITY_NAME,
        AUTH_PERSON_NAME,
        address,
        ACCOUNT_NUMBER,
        billingPhoneNumber(billing),
      ],
      [PIN_PASSCODE, CSR, PORT_TYPE, newBillingPhoneNumber(newBilling)],
    ),
    mobile: profile(
      [
        LOA,
        ENTITY_NAME,
        ACCOUNT_NUMBER,
        PIN_PASSCODE,
        postalCode(place.examplePostalCode, place.address.postalCode),
      ],
      [INVOICE],
    ),
    toll_free: profile([TOLL_FREE_LOA, INVOICE, ENTITY_NAME, AUTH_PERSON_NAME, address]),
  };
}
