import { findCountry } from "../../../domain/countries/countries.ts";
import type { GainingCarrier, LoaContent } from "../../../domain/order/rules/loa-content.ts";

/** The sentence above the numbered statements. */
export const DECLARATION = "By signing this letter I declare and authorize as follows:";

type Stated = Pick<LoaContent, "country_code" | "number_type" | "customer">;

/**
 * The signer's declarations, one paragraph each. A letter has no other purpose and offers no inducements
 * (47 CFR 64.1130 (b) to (e)).
 */
export function loaStatements(
  { name, respOrgId }: GainingCarrier,
  { country_code: country, number_type: type, customer }: Stated,
): string[] {
  const address = customer.some(({ slug }) => slug === "service_address") ? ", the address " : " ";
  const respOrg = respOrgId === null ? "" : ` (RespOrg ID ${respOrgId})`;
  return [
    `I am the account holder named in this letter, or I am authorized to act for the account holder, and I may change the provider of every telephone number that it lists. The names${address}and the numbers are stated as the current provider has them on record.`,
    `It is my decision that ${name} becomes the provider of these telephone numbers in place of the current provider.`,
    `I appoint ${name} as my agent to carry out this change. It may ask the current provider for the customer service record of these numbers and give the current provider what it needs for the transfer, including the account number and any PIN or transfer code.`,
    ...(type === "toll_free" && findCountry(country)?.numbering.hasRespOrgs === true
      ? [
          `I authorize ${name}${respOrg} to become the Responsible Organization of the toll-free numbers listed in this letter.`,
        ]
      : []),
    `I understand that a telephone number can have only one preferred provider for each telecommunications service. I choose ${name} for every number listed in this letter and for all of the services that are moved with it.`,
    `I understand that the current provider may charge a fee for this change, and that I may ask ${name} about such fees before I sign.`,
    "I understand that services that stay with the current provider, and what I owe to it under its contracts, are not ended by this letter, and that the numbers should not be cancelled there before the transfer is complete.",
  ];
}
