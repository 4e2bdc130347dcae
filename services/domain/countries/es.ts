import type { Country, PortableType } from "./country.ts";
import { isIccId, isSpanishTaxId } from "./fields/check-digits.ts";
import { compact, type Code } from "./fields/code.ts";
import { profile } from "./fields/requirement-definition.ts";
import {
  AUTH_PERSON_NAME,
  choiceField,
  codeField,
  ENTITY_NAME,
  INVOICE,
  letterOfAuthorization,
  serviceAddress,
  SIGNED_BY_HAND,
} from "./fields/shared-requirements.ts";

const POSTAL_CODE: Code = {
  name: "es_postal_code",
  form: "a Spanish postal code of 5 digits, such as 28013",
  pattern: /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/,
  normalize: compact,
};

const ADDRESS = serviceAddress("Gran Vía 28\nMadrid\n28013\nES", {
  country: "ES",
  area: null,
  postalCode: POSTAL_CODE,
});

/** NIF and NIE are for persons, CIF for entities. */
const TAX_ID_NUMBER: Code = {
  name: "es_tax_id",
  form: "a Spanish NIF, NIE or CIF of 9 characters with its check character, such as B12345674",
  pattern: /^(?:\d{8}[A-Z]|[XYZKLM]\d{7}[A-Z]|[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J])$/,
  normalize: compact,
  isConsistent: isSpanishTaxId,
};

const TAX_ID = codeField(
  "tax_id",
  {
    name: "Tax id",
    description: "The NIF, NIE or CIF of the account holder, as in the losing carrier's records.",
    example: "B12345674",
    letter: "customer",
  },
  TAX_ID_NUMBER,
);

const ACCESS_TYPE = choiceField(
  "access_type",
  {
    name: "Type of access",
    description:
      "How the numbers are connected: one line, several lines, or a number that exists only in the network.",
    letter: "line",
  },
  ["single", "multi", "network"],
);

/** ITU-T E.118: 89, country, issuer, card, Luhn digit; Spanish operators use all 19 digits. */
const SIM_NUMBER: Code = {
  name: "es_icc_id",
  form: "the 19 digits of a Spanish SIM, from 8934 to the check digit, such as 8934071234567890125",
  pattern: /^8934\d{15}$/,
  normalize: compact,
  isConsistent: isIccId,
};

const ICC_ID = codeField(
  "icc_id",
  {
    name: "ICC-ID",
    description:
      "The number of the line's SIM card (or eSIM): 19 digits that begin with 8934, as printed on the card.",
    example: "8934071234567890125",
    letter: "line",
    exception: "carrier_id_invalid",
  },
  SIM_NUMBER,
);

const FIXED: PortableType = {
  requirements: profile([
    letterOfAuthorization(`It must list every number of the order. ${SIGNED_BY_HAND}`),
    INVOICE,
    ENTITY_NAME,
    AUTH_PERSON_NAME,
    ADDRESS,
    TAX_ID,
    ACCESS_TYPE,
  ]),
};

export const ES: Country = {
  numbering: {
    territories: ["ES"],
    form: /^\+34(?:[67]\d|[89][1-8])\d{7}$/,
    typeByPrefix: {},
    leavesTypeOpen: false,
    hasRespOrgs: false,
  },
  paperSize: "A4",
  types: {
    local: FIXED,
    national: FIXED,
    toll_free: FIXED,
    /** 901 and 902. */
    shared_cost: FIXED,
    /** Mobile numbers move in the early hours of a working day. */
    mobile: {
      requirements: profile([letterOfAuthorization(), ENTITY_NAME, TAX_ID, ICC_ID], [INVOICE]),
    },
  },
};
