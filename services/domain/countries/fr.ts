import type { Country, PortableType } from "./country.ts";
import { isSiret } from "./fields/check-digits.ts";
import { compact, type Code } from "./fields/code.ts";
import { profile } from "./fields/profile.ts";
import {
  documentField,
  ID_DOCUMENT,
  INVOICE,
  letterOfAuthorization,
  PROOF_OF_ADDRESS,
} from "./fields/shared-documents.ts";
import { codeField, PORT_TYPE } from "./fields/shared-values.ts";

/** Operator, contract kind, reference, key. The key also covers the line's number, so it cannot be checked here. */
const RIO: Code = {
  name: "fr_rio",
  form: "a RIO of 12 letters and digits",
  pattern: /^[0-9A-Z]{2}[A-Z][0-9A-Z]{6}[0-9A-Z+]{3}$/,
  normalize: compact,
};

const SIRET_NUMBER: Code = {
  name: "fr_siret",
  form: "a SIRET of 14 digits, the last of which is a check digit",
  pattern: /^\d{14}$/,
  normalize: compact,
  isConsistent: isSiret,
};

const RIO_CODE = codeField(
  "rio_code",
  {
    name: "RIO",
    description:
      "The operator identity statement (RIO) of the line. Call 3179 from the number to get it.",
    example: "01P123456ABC",
    letter: "line",
    exception: "carrier_id_invalid",
  },
  RIO,
);

const SIRET = codeField(
  "siret",
  {
    name: "SIRET",
    description: "The SIRET of the establishment that holds the account, if it is a business.",
    example: "73282932000074",
    letter: "customer",
  },
  SIRET_NUMBER,
);

const KBIS = documentField("kbis", {
  name: "K-bis extract",
  description: "The trade register extract of the business, if a business holds the account.",
  example: "A K-bis extract of the last three months, as PDF.",
});

const FIXED: PortableType = {
  requirements: profile(
    [
      letterOfAuthorization(
        "It must list every number and the French address where they are in service.",
      ),
      INVOICE,
      RIO_CODE,
      PROOF_OF_ADDRESS,
    ],
    [SIRET, KBIS, ID_DOCUMENT, PORT_TYPE],
  ),
  leadTime: { days: 8, hour: 10 },
};

export const FR: Country = {
  numbering: { territories: ["FR"], typeByPrefix: {}, leavesTypeOpen: false },
  calendar: { timeZone: "Europe/Paris", cutOffHour: 12, holidaysOf: "FR" },
  paperSize: "A4",
  types: {
    local: FIXED,
    national: FIXED,
    toll_free: FIXED,
    mobile: {
      requirements: profile([letterOfAuthorization(), RIO_CODE]),
      leadTime: { days: 1, hour: 10 },
    },
  },
};
