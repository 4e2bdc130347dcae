import type { Country, PortableType } from "./country.ts";
import { compact, type Code } from "./fields/code.ts";
import { profile } from "./fields/requirement-definition.ts";
import {
  ACCOUNT_NUMBER,
  AUTH_PERSON_NAME,
  codeField,
  ENTITY_NAME,
  INVOICE,
  letterOfAuthorization,
  nameField,
  serviceAddress,
} from "./fields/shared-requirements.ts";

const POSTCODE: Code = {
  name: "nl_postcode",
  form: "a Dutch postcode of 4 digits and 2 letters, such as 1012 JS",
  pattern: /^[1-9]\d{3} [A-Z]{2}$/,
  normalize: (text) => compact(text).replace(/^(\d{4})(?=[A-Z])/, "$1 "),
};

const ADDRESS = serviceAddress("Dam 1\nAmsterdam\n1012 JS\nNL", {
  country: "NL",
  area: null,
  postalCode: POSTCODE,
});

const LOSING_CARRIER = nameField("losing_carrier", {
  name: "Losing carrier",
  description: "The name of the numbers' current carrier.",
  example: "Example Telecom",
  letter: "account",
});

const KVK: Code = {
  name: "nl_kvk",
  form: "a KvK number of 8 digits, such as 12345678",
  pattern: /^\d{8}$/,
  normalize: compact,
};

const KVK_NUMBER = codeField(
  "kvk_number",
  {
    name: "KvK number",
    description: "The number of the business in the trade register, if a business is the holder.",
    example: "12345678",
    letter: "customer",
  },
  KVK,
);

const HOLDER = [letterOfAuthorization(), INVOICE, ENTITY_NAME, AUTH_PERSON_NAME, ADDRESS];
const FIXED: PortableType = {
  requirements: profile([...HOLDER, LOSING_CARRIER], [ACCOUNT_NUMBER, KVK_NUMBER]),
};

/** Mobile numbers are not among them: carriers do not port them to operators of fixed and internet telephony. */
export const NL: Country = {
  numbering: {
    territories: ["NL"],
    form: /^\+31(?:[1-57]\d{8}|8[4578]\d{7})$/,
    typeByPrefix: {},
    leavesTypeOpen: false,
    hasRespOrgs: false,
  },
  paperSize: "A4",
  types: { local: FIXED, national: FIXED, toll_free: FIXED },
};
