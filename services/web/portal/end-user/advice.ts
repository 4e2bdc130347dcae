import type { Advice } from "../orders/requirements/requirement-list.tsx";

/** What people who port their own number ask about a field, answered in their words. */
const ADVICE: Readonly<Record<string, string>> = {
  entity_name:
    "The name that your present provider has your contract under: your own, or your company's. It stands at the top of your bill.",
  auth_person_name: "Your own name, if you are the one who may change the contract.",
  service_address:
    "Where the line is used, as your present provider has it. For a mobile it is the address on your bill.",
  account_number:
    "Your customer or account number with your present provider. It stands on every bill, and in the provider's app or website under your account.",
  pin_passcode:
    "A short code that your present provider uses to know that it is you. It is not the PIN of your SIM card. You find or set it in the provider's app or website, often called transfer PIN or port-out PIN, or you ask their customer service for it.",
  pac_code:
    "The code with which you leave a UK provider. Text PAC to 65075 from the number: the answer comes at once and is valid for 30 days.",
  rio_code:
    "A code of 12 characters. Call 3179 from the number: you hear it, and get it as a text message.",
  postal_code: "The postal code on your bill.",
  birth_date: "Your date of birth, as your present provider has it.",
  billing_phone_number: "The main number on your bill, which may be another than the one you move.",
  tax_id: "Your NIF, NIE or CIF, as it stands on your bill.",
  icc_id: "The 19 digits printed on your SIM card; your phone shows them in its settings too.",
  invoice:
    "Your latest bill. It must show your name, the provider, the account number and the phone number, and all of its pages must be readable.",
  csr: "A record of your services from your present provider, if you have one.",
  proof_of_address:
    "A bill or an official letter from the last months that shows your name and your address.",
  id_document:
    "A photo or scan of your identity card or passport, with every corner in the picture.",
  port_type: "Full if all your numbers leave your present provider, partial if some stay there.",
  losing_carrier: "The company that sends you the bill today.",
  loa: "With this letter you allow your present provider to let your number go. Do not cancel your contract there: the move does that, and a cancelled number may be lost.",
};

export const endUserAdvice: Advice = ({ slug }) => ADVICE[slug];
