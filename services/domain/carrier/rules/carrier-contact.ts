import { z } from "zod";

const line = () => z.string().min(1).max(500).nullable().default(null);

/** How a carrier's or a provider's people are reached, as its file says; whatever is not given is null. */
export const carrierContact = z.strictObject({
  name: line(),
  phone: line(),
  email: line(),
  url: line(),
  notes: z.string().min(1).max(4_000).nullable().default(null),
});

export type CarrierContact = z.output<typeof carrierContact>;
