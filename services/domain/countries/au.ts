import type { Country, PortableType } from "./country.ts";
import { compact, type Code } from "./fields/code.ts";
import { profile, type Field } from "./fields/requirement-definition.ts";
import {
  ACCOUNT_NUMBER,
  AUTH_PERSON_NAME,
  BIRTH_DATE,
  choiceField,
  ENTITY_NAME,
  ID_DOCUMENT,
  INVOICE,
  letterOfAuthorization,
  serviceAddress,
} from "./fields/shared-requirements.ts";

const POSTCODE: Code = {
  name: "au_postcode",
  form: "an Australian postcode of 4 digits, such as 2000",
  pattern: /^(?:0[289]|[1-9]\d)\d{2}$/,
  normalize: compact,
};

const ADDRESS = serviceAddress("1 Martin Place\nSydney\nNSW 2000\nAU", {
  country: "AU",
  area: {
    pattern: /^(?:ACT|NSW|NT|QLD|SA|TAS|VIC|WA)$/,
    form: "the state or territory, such as NSW,",
  },
  postalCode: POSTCODE,
});

const CATEGORY = choiceField(
  "category",
  {
    name: "Category",
    description:
      "A for one number without a complex service; C for ISDN, hunt groups, ranges and several numbers at once.",
    letter: "line",
    exception: "port_type_incorrect",
  },
  ["A", "C"],
);

/** A prepaid line has none: its carrier compares name and date of birth (Telnyx Australia, Cmobile). */
const CONTRACT_NUMBER: Field = {
  ...ACCOUNT_NUMBER,
  description:
    "The account number at the losing carrier. A prepaid line has none: give the date of birth instead.",
  unless: BIRTH_DATE.slug,
};

const FIXED_FIELDS = [
  letterOfAuthorization(),
  INVOICE,
  ENTITY_NAME,
  AUTH_PERSON_NAME,
  ADDRESS,
  ACCOUNT_NUMBER,
  ID_DOCUMENT,
];
const FIXED: PortableType = { requirements: profile(FIXED_FIELDS, [CATEGORY]) };
/** Always of category C: 13, 1300 and 1800 numbers have no other. */
const SERVICE_NUMBERS: PortableType = { requirements: profile(FIXED_FIELDS) };

export const AU: Country = {
  /** The Cocos (CC) and Christmas (CX) Islands share the numbering plan. */
  numbering: {
    territories: ["AU", "CC", "CX"],
    form: /^\+61[23478]\d{8}$/,
    typeByPrefix: {},
    leavesTypeOpen: false,
    hasRespOrgs: false,
  },
  paperSize: "A4",
  types: {
    local: FIXED,
    national: SERVICE_NUMBERS,
    toll_free: SERVICE_NUMBERS,
    shared_cost: SERVICE_NUMBERS,
    /** Carriers move mobile numbers within a business day, once account number or birth date match. */
    mobile: {
      requirements: profile(
        [letterOfAuthorization(), ENTITY_NAME, CONTRACT_NUMBER],
        [BIRTH_DATE, INVOICE],
      ),
    },
  },
};
