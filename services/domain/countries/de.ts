import type { CountryProfiles } from "./fields/profile.ts";
import { profile } from "./fields/profile.ts";
import {
  documentField,
  ID_DOCUMENT,
  INVOICE,
  letterOfAuthorization,
  PROOF_OF_ADDRESS,
} from "./fields/shared-documents.ts";

const REGISTRATION_CERTIFICATE = documentField("registration_certificate", {
  name: "Business registration",
  description:
    "The extract of the commercial register or the trade licence, where a business holds the account.",
  example: "A current extract of the commercial register, as PDF.",
});

const ALLOCATION_CERTIFICATE = documentField("allocation_certificate", {
  name: "Allocation certificate",
  description:
    "The certificate by which the Federal Network Agency (BNetzA) allocated the number to its holder.",
  example: "The allocation certificate of every number, as PDF.",
});

const LOCAL_LOA = letterOfAuthorization(
  "It is the porting form, with every number and an address in the numbers' city; a business adds its stamp.",
);

const SUBSCRIBER_NUMBERS = profile(
  [LOCAL_LOA, INVOICE, PROOF_OF_ADDRESS, ID_DOCUMENT],
  [REGISTRATION_CERTIFICATE],
);
/** Numbers that the agency allocates to their holder; an invoice is for those that came through a reseller. */
const ALLOCATED_NUMBERS = profile([letterOfAuthorization(), ALLOCATION_CERTIFICATE], [INVOICE]);

export const DE: CountryProfiles = {
  local: SUBSCRIBER_NUMBERS,
  national: SUBSCRIBER_NUMBERS,
  toll_free: ALLOCATED_NUMBERS,
  shared_cost: ALLOCATED_NUMBERS,
};
