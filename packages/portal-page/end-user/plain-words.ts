import type { InWords } from "../orders/requirements/requirement-list.tsx";

type Words = readonly [name: string, explanation: string];

/** What people who port their own number call a field, and what they ask about it. */
const WORDS: Readonly<Record<string, Words>> = {
  entity_name: [
    "Name on the contract",
    "The name under which your present provider has your contract: your own, or your company's. It stands at the top of your bill.",
  ],
  auth_person_name: ["Your name", "The person who may change the contract, and who signs below."],
  service_address: [
    "Where the line is used",
    "The address as your present provider has it; for a mobile, the address on your bill.",
  ],
  account_number: [
    "Account number",
    "Your customer or account number with your present provider. It stands on every bill, and in the provider's app or website under your account.",
  ],
  pin_passcode: [
    "Transfer PIN",
    "A short code by which your present provider knows that it is you. It is not the PIN of your SIM card. You find or set it in the provider's app or website, often called transfer PIN or port-out PIN, or you ask their customer service for it.",
  ],
  pac_code: [
    "PAC code",
    "The code with which you leave a UK provider. Text PAC to 65075 from the number: the answer comes at once and is valid for 30 days.",
  ],
  rio_code: [
    "RIO code",
    "A code of 12 characters. Call 3179 from the number: you hear it, and get it as a text message.",
  ],
  postal_code: ["Postal code", "The postal code on your bill."],
  birth_date: ["Date of birth", "As your present provider has it."],
  billing_phone_number: [
    "Main number on your bill",
    "The number under which your present provider writes the bill, which may be another than the one you move.",
  ],
  tax_id: ["Tax number", "Your NIF, NIE or CIF, as it stands on your bill."],
  icc_id: [
    "SIM card number",
    "The 19 digits printed on your SIM card; your phone shows them in its settings too.",
  ],
  invoice: [
    "Your latest bill",
    "It must show your name, the provider, the account number and the phone number, and every page must be readable. A photo is fine.",
  ],
  csr: [
    "Customer service record",
    "A record of your services from your present provider, if you have one.",
  ],
  proof_of_address: [
    "Proof of your address",
    "A bill or an official letter from the last months that shows your name and your address.",
  ],
  id_document: [
    "Your identity card or passport",
    "A photo or scan with every corner in the picture.",
  ],
  port_type: [
    "All your numbers, or some",
    "Full if all your numbers leave your present provider, partial if some stay there.",
  ],
  losing_carrier: ["Your present provider", "The company that sends you the bill today."],
  new_billing_phone_number: [
    "New main number on your bill",
    "Only if you move the main number and others stay: the number under which your present provider is to write the bill from then on.",
  ],
  line_type: ["One line or several", "Whether your numbers are on one line or on several."],
  associated_numbers: [
    "Other numbers on the line",
    "What happens to other numbers on the same line: they stay in service, or they are disconnected.",
  ],
  access_type: [
    "How the number is connected",
    "One line, several lines, or a number without a line of its own. Your bill says so; if you do not know, choose one line.",
  ],
  registration_certificate: [
    "Company registration",
    "Only for a company: the extract from the commercial register, or the trade licence.",
  ],
  allocation_certificate: [
    "Allocation of the number",
    "The letter by which the Federal Network Agency (BNetzA) gave you the number.",
  ],
  siret: ["SIRET", "Only for a company: the 14 digits of the place that has the contract."],
  kbis: ["K-bis extract", "Only for a company: an extract of the last three months."],
  loa: [
    "Your signature",
    "With a letter of authorization you allow your present provider to let your number go. Do not cancel your contract there: the move does that, and a cancelled number may be lost.",
  ],
};

export const inPlainWords: InWords = (requirement) => {
  const words = WORDS[requirement.slug];
  return words === undefined
    ? requirement
    : { ...requirement, name: words[0], description: words[1] };
};
