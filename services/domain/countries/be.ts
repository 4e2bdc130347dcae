import type { Country, PortableType } from "./country.ts";
import { compact, type Code } from "./fields/code.ts";
import { profile } from "./fields/requirement-definition.ts";
import {
  ACCOUNT_NUMBER,
  AUTH_PERSON_NAME,
  choiceField,
  ENTITY_NAME,
  INVOICE,
  letterOfAuthorization,
  serviceAddress,
} from "./fields/shared-requirements.ts";

const POSTAL_CODE: Code = {
  name: "be_postal_code",
  form: "a Belgian postal code of 4 digits, such as 1000",
  pattern: /^[1-9]\d{3}$/,
  normalize: compact,
};

const ADDRESS = serviceAddress("Grote Markt 1\nBrussel\n1000\nBE", {
  country: "BE",
  area: null,
  postalCode: POSTAL_CODE,
});

const INSTALLATION = choiceField(
  "installation",
  {
    name: "Kind of installation",
    description: "Simple for single lines; complex for ranges and telephone systems.",
    letter: "line",
    exception: "port_type_incorrect",
  },
  ["simple", "complex"],
);

/** A signed document is required: an agreement by telephone is not enough (BIPT). */
const LOA = letterOfAuthorization();
const FIXED: PortableType = {
  requirements: profile(
    [LOA, INVOICE, ENTITY_NAME, AUTH_PERSON_NAME, ADDRESS, ACCOUNT_NUMBER],
    [INSTALLATION],
  ),
};

export const BE: Country = {
  numbering: {
    territories: ["BE"],
    form: /^\+32(?:[1-35-9]\d{7}|4\d{8})$/,
    typeByPrefix: {},
    leavesTypeOpen: false,
    hasRespOrgs: false,
  },
  paperSize: "A4",
  types: {
    local: FIXED,
    toll_free: FIXED,
    mobile: {
      requirements: profile([LOA, ENTITY_NAME, ACCOUNT_NUMBER], [INVOICE, INSTALLATION]),
    },
  },
};
