/** The number types of orders in all countries; each country defines which of them can be ported. */
export const NUMBER_TYPES = ["local", "mobile", "toll_free", "national", "shared_cost"] as const;

export type NumberType = (typeof NUMBER_TYPES)[number];
