/** The customers' accounts of the demo. */
export const ACCOUNTS = [
  "Brightline Voice",
  "Northgate Telecom",
  "Cobalt Communications",
  "Helio Cloud PBX",
  "Talkwell GmbH",
  "Ligne Claire SAS",
  "Harbour Street Systems",
  "Meridian Contact Centers",
  "Pinecrest Networks",
  "Vela Telephony",
] as const;

/** Those who work at the desk, and as what. */
export const OPERATORS = [
  { name: "Ada Okafor", role: "lead" },
  { name: "Ben Castellano", role: "reviewer" },
  { name: "Clara Weiss", role: "reviewer" },
  { name: "Dmitri Alvarez", role: "reviewer" },
  { name: "Emma Lindqvist", role: "viewer" },
] as const;

export const HOLDERS = [
  "Acorn Dental Group",
  "Birchwood Veterinary Clinic",
  "Castle Row Solicitors",
  "Delmar Auto Repair",
  "Eastside Pediatrics",
  "Fairmont Property Management",
  "Granite Peak Outfitters",
  "Hollis & Reed Accountants",
  "Ironbridge Logistics",
  "Juniper Family Pharmacy",
  "Kestrel Security Services",
  "Larkspur Bakery",
  "Maple Street Insurance",
  "Northern Lights Travel",
  "Orchard Hill School",
  "Pelican Marine Supplies",
  "Quayside Hotel",
  "Redwood Physiotherapy",
  "Sundial Architects",
  "Thornbury Estate Agents",
  "Upland Coffee Roasters",
  "Vintage Motors",
  "Westbrook Community Church",
  "Yellowstone Print & Copy",
] as const;

export const SIGNERS = [
  "Margaret Holloway",
  "James Whitfield",
  "Priya Raman",
  "Thomas Becker",
  "Sofia Marchetti",
  "Daniel O'Connor",
  "Hannah Schulze",
  "Luc Moreau",
  "Rachel Goldstein",
  "Kenji Watanabe",
  "Olivia Barnes",
  "Samuel Adeyemi",
] as const;

export const CUSTOMER_COMMENTS = [
  "The invoice is from last month; the new one is not out yet.",
  "Please port these together with our other order if you can.",
  "Our customer moves offices that week, so the date matters.",
  "Is there anything else that you need from us?",
] as const;

export const OPS_COMMENTS = [
  "We have asked the losing carrier for the account's exact name.",
  "The date is requested; we will confirm as soon as the carrier does.",
  "Please send the page of the invoice that shows the numbers.",
] as const;

export const NOTES = [
  "Called the carrier: their records have the old company name.",
  "Same holder as an order of last week, whose documents were fine.",
  "The customer is in a hurry: look at this one first tomorrow.",
] as const;
