/** What kind of number an order is for, whatever the country; each country says which of them can be ported. */
export const NUMBER_TYPES = ["local", "mobile", "toll_free", "national", "shared_cost"] as const;

export type NumberType = (typeof NUMBER_TYPES)[number];
