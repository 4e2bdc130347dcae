import type { Country, PortableType } from "./country.ts";
import { compact, type Code } from "./fields/code.ts";
import { profile } from "./fields/requirement-definition.ts";
import {
  ACCOUNT_NUMBER,
  AUTH_PERSON_NAME,
  BIRTH_DATE,
  choiceField,
  documentField,
  ENTITY_NAME,
  ID_DOCUMENT,
  INVOICE,
  letterOfAuthorization,
  PROOF_OF_ADDRESS,
  serviceAddress,
  SIGNED_BY_HAND,
} from "./fields/shared-requirements.ts";

const POSTAL_CODE: Code = {
  name: "de_postal_code",
  form: "a German postal code of 5 digits, such as 10117",
  pattern: /^(?:0[1-9]|[1-9]\d)\d{3}$/,
  normalize: compact,
};

const HOLDER = [
  ENTITY_NAME,
  AUTH_PERSON_NAME,
  serviceAddress("Friedrichstraße 43\nBerlin\n10117\nDE", {
    country: "DE",
    area: null,
    postalCode: POSTAL_CODE,
  }),
];

const REGISTRATION_CERTIFICATE = documentField("registration_certificate", {
  name: "Business registration",
  description:
    "The commercial register extract or the trade licence, if a business holds the account.",
  example: "A current extract of the commercial register, as PDF.",
});

const ALLOCATION_CERTIFICATE = documentField("allocation_certificate", {
  name: "Allocation certificate",
  description:
    "The certificate by which the Federal Network Agency (BNetzA) allocated the number to its holder.",
  example: "The allocation certificate of every number, as PDF.",
});

const LOCAL_LOA = letterOfAuthorization(
  `It must list all numbers and an address in their city; a business stamps it. ${SIGNED_BY_HAND}`,
);

const CONTRACT_STATUS = choiceField(
  "contract_status",
  {
    name: "Contract with the losing carrier",
    description:
      "Whether the contract runs on. Numbers of one that has ended or been released move sooner.",
    letter: "account",
  },
  ["running", "ended"],
);

const SUBSCRIBER_NUMBERS: PortableType = {
  requirements: profile(
    [LOCAL_LOA, INVOICE, ...HOLDER, PROOF_OF_ADDRESS, ID_DOCUMENT],
    [REGISTRATION_CERTIFICATE, CONTRACT_STATUS],
  ),
};
/** Numbers move within one working day of the agreed date (TKG section 59). */
const MOBILE_NUMBERS: PortableType = {
  requirements: profile(
    [letterOfAuthorization(), ENTITY_NAME, ACCOUNT_NUMBER],
    [BIRTH_DATE, INVOICE],
  ),
};
/** Numbers that the agency allocates to their holder; numbers obtained through a reseller need an invoice. */
const ALLOCATED_NUMBERS: PortableType = {
  requirements: profile([letterOfAuthorization(), ...HOLDER, ALLOCATION_CERTIFICATE], [INVOICE]),
};

export const DE: Country = {
  /**
   * 032 numbers are not geographic; libphonenumber classifies them as fixed lines. 0700 numbers are personal: the agency
   * allocates them like service numbers.
   */
  numbering: {
    territories: ["DE"],
    form: /^\+49(?:[2-9]\d{6,10}|1[5-7]\d{8,9})$/,
    typeByPrefix: { "+4932": "national", "+49700": "shared_cost" },
    leavesTypeOpen: false,
    hasRespOrgs: false,
  },
  paperSize: "A4",
  types: {
    local: SUBSCRIBER_NUMBERS,
    mobile: MOBILE_NUMBERS,
    national: SUBSCRIBER_NUMBERS,
    toll_free: ALLOCATED_NUMBERS,
    shared_cost: ALLOCATED_NUMBERS,
  },
};
