import type { Country, PortableType } from "./country.ts";
import { compact, type Code } from "./fields/code.ts";
import { profile } from "./fields/requirement-definition.ts";
import {
  ACCOUNT_NUMBER,
  AUTH_PERSON_NAME,
  ENTITY_NAME,
  INVOICE,
  letterOfAuthorization,
  serviceAddress,
} from "./fields/shared-requirements.ts";

const EIRCODE: Code = {
  name: "ie_eircode",
  form: "an Eircode of 7 characters, such as D02 AF30",
  pattern: /^(?:[AC-FHKNPRTV-Y]\d{2}|D6W) [0-9AC-FHKNPRTV-Y]{4}$/,
  normalize: (text) => compact(text).replace(/^(.{3})(?=.{4}$)/, "$1 "),
};

const ADDRESS = serviceAddress("1 College Green\nDublin\nD02 AF30\nIE", {
  country: "IE",
  area: null,
  postalCode: EIRCODE,
});

/** The customer authorisation form (ComReg). */
const CAF = letterOfAuthorization(
  "It must list every number and the UAN or account number of the bill.",
);
const FIXED: PortableType = {
  requirements: profile([CAF, INVOICE, ENTITY_NAME, AUTH_PERSON_NAME, ADDRESS, ACCOUNT_NUMBER]),
};

export const IE: Country = {
  numbering: {
    territories: ["IE"],
    form: /^\+353(?:[124-79]\d{6,8}|8[35-9]\d{7})$/,
    typeByPrefix: {},
    leavesTypeOpen: false,
    hasRespOrgs: false,
  },
  paperSize: "A4",
  types: {
    local: FIXED,
    national: FIXED,
    toll_free: FIXED,
    mobile: { requirements: profile([CAF, ENTITY_NAME, ACCOUNT_NUMBER], [INVOICE]) },
  },
};
