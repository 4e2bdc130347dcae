import type { Country, PortableType } from "./country.ts";
import { isSiret } from "./fields/check-digits.ts";
import { compact, type Code } from "./fields/code.ts";
import { perNumber, profile } from "./fields/requirement-definition.ts";
import {
  AUTH_PERSON_NAME,
  choiceField,
  codeField,
  documentField,
  ENTITY_NAME,
  ID_DOCUMENT,
  INVOICE,
  letterOfAuthorization,
  PORT_TYPE,
  PROOF_OF_ADDRESS,
  serviceAddress,
  SIGNED_BY_HAND,
} from "./fields/shared-requirements.ts";

const ORDER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+";
const CONTRACT_LENGTH = 9;
const COUNTRY_CODE = "+33";
/** Each key character weighs the characters before it by another power. */
const FACTORS = [1, 2, 4];

/**
 * The RIO (relevé d'identité opérateur) of a French number in E.164: the contract (operator, quality, reference; 9
 * characters) and its key, which covers the contract and the number as dialled in France (ARCEP's RIO format).
 */
export function rioOf(contract: string, phoneNumber: string): string {
  const covered = contract + phoneNumber.replace(COUNTRY_CODE, "0");
  const key = FACTORS.map((factor) =>
    Array.from(covered).reduce(
      (sum, character) => (factor * sum + ORDER.indexOf(character)) % ORDER.length,
      0,
    ),
  );
  return contract + key.map((value) => ORDER.charAt(value)).join("");
}

/** Whether the key of a RIO fits a French number in E.164. */
export function belongsToNumber(rio: string, phoneNumber: string): boolean {
  return (
    phoneNumber.startsWith(COUNTRY_CODE) &&
    rioOf(rio.slice(0, CONTRACT_LENGTH), phoneNumber) === rio
  );
}

const POSTAL_CODE: Code = {
  name: "fr_postal_code",
  form: "a French postal code of 5 digits, such as 75001",
  pattern: /^(?:0[1-9]|[1-8]\d|9[0-578])\d{3}$/,
  normalize: compact,
};

const ADDRESS = serviceAddress("10 Rue de Rivoli\nParis\n75004\nFR", {
  country: "FR",
  area: null,
  postalCode: POSTAL_CODE,
});

/** Operator, contract kind and reference of the example; its key depends on the number. */
const EXAMPLE_CONTRACT = "01P123456";
const EXAMPLE_NUMBER = "+33612345678";

/** Operator, contract kind, reference, key. */
const RIO: Code = {
  name: "fr_rio",
  form: "a RIO of 12 characters (operator 2, kind of contract 1, reference 6, key 3), such as 01P12345636Q for +33612345678",
  pattern: /^[0-9A-Z]{2}[A-Z][0-9A-Z]{6}[0-9A-Z+]{3}$/,
  normalize: compact,
  ofNumber: {
    fault: "rio_mismatch",
    detail:
      "Its key, the last 3 characters, does not fit. A RIO belongs to one number: call 3179 from a number of this order, give that number's RIO and copy all 12 characters.",
    fits: belongsToNumber,
    example: (phoneNumber) => rioOf(EXAMPLE_CONTRACT, phoneNumber),
  },
};

const SIRET_NUMBER: Code = {
  name: "fr_siret",
  form: "a SIRET of 14 digits, the last of which is a check digit, such as 73282932000074",
  pattern: /^\d{14}$/,
  normalize: compact,
  isConsistent: isSiret,
};

const RIO_CODE = perNumber(
  codeField(
    "rio_code",
    {
      name: "RIO",
      description:
        "The operator identity statement (RIO) of the number: each number has its own. Call 3179 from it to get it.",
      example: rioOf(EXAMPLE_CONTRACT, EXAMPLE_NUMBER),
      letter: "line",
      exception: "carrier_id_invalid",
    },
    RIO,
  ),
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

const HOLDER_KIND = choiceField(
  "holder_kind",
  {
    name: "Private person or business",
    description: "Who holds the account: lines of private persons move sooner.",
    letter: "customer",
  },
  ["business", "private"],
);

const FIXED: PortableType = {
  requirements: profile(
    [
      letterOfAuthorization(
        `It must list all numbers and their French address; a business stamps it. ${SIGNED_BY_HAND}`,
      ),
      INVOICE,
      ENTITY_NAME,
      AUTH_PERSON_NAME,
      ADDRESS,
      RIO_CODE,
      PROOF_OF_ADDRESS,
    ],
    [SIRET, KBIS, ID_DOCUMENT, PORT_TYPE, HOLDER_KIND],
  ),
};

export const FR: Country = {
  numbering: {
    territories: ["FR"],
    form: /^\+33[1-79]\d{8}$/,
    typeByPrefix: {},
    leavesTypeOpen: false,
    hasRespOrgs: false,
  },
  paperSize: "A4",
  types: {
    local: FIXED,
    national: FIXED,
    toll_free: FIXED,
    mobile: {
      requirements: profile([letterOfAuthorization(), ENTITY_NAME, RIO_CODE]),
    },
  },
};
