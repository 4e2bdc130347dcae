import type { Country, PortableType } from "./country.ts";
import { isIccId, isSpanishTaxId } from "./fields/check-digits.ts";
import { compact, readCode, type Code } from "./fields/code.ts";
import { perNumber, profile } from "./fields/requirement-definition.ts";
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

/** Of a passport only the form can be checked. */
const IDENTITY: Code = {
  name: "es_identity",
  form: "a Spanish NIF, NIE or CIF of 9 characters with its check character, such as B12345674, or the nationality and number of a passport, such as FR-12AB34567",
  pattern: /^(?:[A-Z0-9]{9}|[A-Z]{2}-[A-Z0-9]{5,15})$/,
  normalize: identityOf,
  isConsistent: (id) => id.includes("-") || readCode(TAX_ID_NUMBER, id) !== null,
};

/** A passport is written as its nationality, a hyphen and its number. */
function identityOf(text: string): string {
  const [, nationality, number] = /^\s*([A-Za-z]{2})\s*-(.+)$/su.exec(text) ?? [];
  return nationality === undefined || number === undefined
    ? compact(text)
    : `${compact(nationality)}-${compact(number)}`;
}

const HOLDER_ID = codeField(
  "tax_id",
  {
    name: "Tax id or passport",
    description:
      "The NIF, NIE or CIF of the account holder, or nationality and number of the passport, as in the losing carrier's records.",
    example: "B12345674",
    letter: "customer",
  },
  IDENTITY,
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

const ICC_ID = perNumber(
  codeField(
    "icc_id",
    {
      name: "ICC-ID",
      description:
        "Of a prepaid line: the number of its SIM card (or eSIM), 19 digits that begin with 8934, as printed on the card. Lines on contract need none.",
      example: "8934071234567890125",
      letter: "line",
      exception: "carrier_id_invalid",
    },
    SIM_NUMBER,
  ),
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
    /**
     * Mobile numbers move in the early hours of a working day. A line on contract is identified by NIF, NIE, passport or
     * CIF, a prepaid one by its ICC-ID (Especificación técnica de portabilidad móvil, CMT).
     */
    mobile: {
      requirements: profile([letterOfAuthorization(), ENTITY_NAME, HOLDER_ID], [ICC_ID, INVOICE]),
    },
  },
};
