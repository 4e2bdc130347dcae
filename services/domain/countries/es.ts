import { everyType, DEFAULT_DAYS, type Country } from "./country.ts";
import { isSpanishTaxId } from "./fields/check-digits.ts";
import { compact, type Code } from "./fields/code.ts";
import { profile } from "./fields/profile.ts";
import { INVOICE, letterOfAuthorization } from "./fields/shared-documents.ts";
import { choiceField, codeField } from "./fields/shared-values.ts";

/** NIF and NIE are for persons, CIF for entities. */
const TAX_ID_NUMBER: Code = {
  name: "es_tax_id",
  form: "a Spanish NIF, NIE or CIF of 9 characters with its check character",
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

export const ES: Country = {
  numbering: { territories: ["ES"], typeByPrefix: {}, leavesTypeOpen: false },
  calendar: { timeZone: "Europe/Madrid", cutOffHour: 12, holidaysOf: "ES" },
  paperSize: "A4",
  types: everyType({
    requirements: profile([letterOfAuthorization(), INVOICE, TAX_ID, ACCESS_TYPE]),
    leadTime: { days: DEFAULT_DAYS, hour: 12 },
  }),
};
