/** The countries whose numbers can be ported (ISO 3166-1 alpha-2). */
export const COUNTRY_CODES = ["AU", "BE", "CA", "DE", "ES", "FR", "GB", "IE", "NL", "US"] as const;

export type CountryCode = (typeof COUNTRY_CODES)[number];
