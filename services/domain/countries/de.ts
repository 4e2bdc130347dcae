import { DEFAULT_DAYS, type Country, type PortableType } from "./country.ts";
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
  "Use the porting form, with every number and an address in the numbers' city; a business adds its stamp.",
);

const SUBSCRIBER_NUMBERS: PortableType = {
  requirements: profile(
    [LOCAL_LOA, INVOICE, PROOF_OF_ADDRESS, ID_DOCUMENT],
    [REGISTRATION_CERTIFICATE],
  ),
  leadTime: { days: DEFAULT_DAYS, hour: 6 },
};
/** Numbers that the agency allocates to their holder; numbers obtained through a reseller need an invoice. */
const ALLOCATED_NUMBERS: PortableType = {
  requirements: profile([letterOfAuthorization(), ALLOCATION_CERTIFICATE], [INVOICE]),
  leadTime: { days: DEFAULT_DAYS, hour: 14 },
};

export const DE: Country = {
  /** 032 numbers are not geographic; libphonenumber classifies them as fixed lines. */
  numbering: {
    territories: ["DE"],
    typeByPrefix: { "+4932": "national" },
    leavesTypeOpen: false,
  },
  calendar: { timeZone: "Europe/Berlin", cutOffHour: 12, holidaysOf: "DE" },
  paperSize: "A4",
  types: {
    local: SUBSCRIBER_NUMBERS,
    national: SUBSCRIBER_NUMBERS,
    toll_free: ALLOCATED_NUMBERS,
    shared_cost: ALLOCATED_NUMBERS,
  },
};
