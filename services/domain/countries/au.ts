import { everyType, DEFAULT_DAYS, type Country } from "./country.ts";
import { profile } from "./fields/profile.ts";
import { ID_DOCUMENT, INVOICE, letterOfAuthorization } from "./fields/shared-documents.ts";
import { ACCOUNT_NUMBER } from "./fields/shared-values.ts";

export const AU: Country = {
  /** The Cocos (CC) and Christmas (CX) Islands share the numbering plan. */
  numbering: { territories: ["AU", "CC", "CX"], typeByPrefix: {}, leavesTypeOpen: false },
  calendar: { timeZone: "Australia/Sydney", cutOffHour: 12, holidaysOf: "AU" },
  paperSize: "A4",
  types: everyType({
    requirements: profile([letterOfAuthorization(), INVOICE, ACCOUNT_NUMBER, ID_DOCUMENT]),
    leadTime: { days: DEFAULT_DAYS, hour: 10 },
  }),
};
