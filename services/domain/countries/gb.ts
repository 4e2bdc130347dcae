import type { Country } from "./country.ts";
import { compact, spacedPostcode, type Code } from "./fields/code.ts";
import { perNumber, profile } from "./fields/requirement-definition.ts";
import {
  ACCOUNT_NUMBER,
  AUTH_PERSON_NAME,
  billingPhoneNumber,
  choiceField,
  codeField,
  ENTITY_NAME,
  INVOICE,
  letterOfAuthorization,
  nameField,
  serviceAddress,
} from "./fields/shared-requirements.ts";

const POSTCODE: Code = {
  name: "gb_postcode",
  form: "a UK postcode, such as SW1A 2AA",
  pattern: /^(?:GIR|[A-Z]{1,2}\d[A-Z\d]?) \d[A-Z]{2}$/,
  normalize: spacedPostcode,
};

const PAC: Code = {
  name: "gb_pac",
  form: "a porting authorisation code of 3 letters and 6 digits, such as ABC123456",
  pattern: /^[A-Z]{3}\d{6}$/,
  normalize: compact,
};

const LOCAL_LOA = letterOfAuthorization(
  "It must state the losing carrier, the line type, the postcode and every number.",
);
const NON_GEOGRAPHIC_LOA = letterOfAuthorization(
  "It must state the billing account number, the postcode and every number.",
);

const LOSING_CARRIER = nameField("losing_carrier", {
  name: "Losing carrier",
  description: "The name or CUPID of the numbers' current carrier.",
  example: "Example Telecom",
  letter: "account",
});

const LINE_TYPE = choiceField(
  "line_type",
  {
    name: "Single or multi-line",
    description: "Whether the numbers are on a single line or on a multi-line installation.",
    letter: "line",
    exception: "port_type_incorrect",
  },
  ["single", "multi"],
);

const ASSOCIATED_NUMBERS = choiceField(
  "associated_numbers",
  {
    name: "Associated numbers",
    description:
      "What the losing carrier does with other numbers on the same line: keep them in service, or disconnect them.",
    letter: "line",
  },
  ["keep", "disconnect"],
);

const PAC_CODE = perNumber(
  codeField(
    "pac_code",
    {
      name: "PAC",
      description:
        "The porting authorisation code of the number. Text PAC to 65075 from it to get one; it is valid for 30 days.",
      example: "ABC123456",
      exception: "carrier_id_invalid",
    },
    PAC,
  ),
);

const HOLDER = [
  ENTITY_NAME,
  AUTH_PERSON_NAME,
  serviceAddress("10 Downing Street\nLondon\nGreater London SW1A 2AA\nGB", {
    country: "GB",
    area: null,
    postalCode: POSTCODE,
  }),
];

const LOCAL = profile(
  [LOCAL_LOA, INVOICE, ...HOLDER, LOSING_CARRIER, LINE_TYPE, billingPhoneNumber("+442079460000")],
  [ASSOCIATED_NUMBERS],
);
const NON_GEOGRAPHIC = profile([NON_GEOGRAPHIC_LOA, INVOICE, ...HOLDER, ACCOUNT_NUMBER]);
const MOBILE = profile([letterOfAuthorization(), INVOICE, ENTITY_NAME, PAC_CODE]);

export const GB: Country = {
  /** Guernsey, Jersey and the Isle of Man share the numbering plan and its carriers. */
  numbering: {
    territories: ["GB", "GG", "JE", "IM"],
    form: /^\+44(?:[12]\d{9}|7[3-57-9]\d{8})$/,
    /** 084 and 087 are for services; libphonenumber calls them premium rate. */
    typeByPrefix: { "+4484": "shared_cost", "+4487": "shared_cost" },
    leavesTypeOpen: false,
    hasRespOrgs: false,
  },
  paperSize: "A4",
  types: {
    local: { requirements: LOCAL },
    mobile: { requirements: MOBILE },
    national: { requirements: NON_GEOGRAPHIC },
    toll_free: { requirements: NON_GEOGRAPHIC },
    shared_cost: { requirements: NON_GEOGRAPHIC },
  },
};
