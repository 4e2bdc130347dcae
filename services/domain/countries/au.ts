import type { CountryProfiles } from "./fields/profile.ts";
import { profile } from "./fields/profile.ts";
import { ID_DOCUMENT, INVOICE, letterOfAuthorization } from "./fields/shared-documents.ts";
import { ACCOUNT_NUMBER } from "./fields/shared-values.ts";

const EVERY_TYPE = profile([letterOfAuthorization(), INVOICE, ACCOUNT_NUMBER, ID_DOCUMENT]);

export const AU: CountryProfiles = {
  local: EVERY_TYPE,
  mobile: EVERY_TYPE,
  toll_free: EVERY_TYPE,
  national: EVERY_TYPE,
  shared_cost: EVERY_TYPE,
};
