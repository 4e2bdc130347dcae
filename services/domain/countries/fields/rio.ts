const ORDER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+";
const CONTRACT_LENGTH = 9;
const COUNTRY_CODE = "+33";
/** Each key character weighs the characters before it by another power. */
const FACTORS = [1, 2, 4];

/**
 * The RIO (relevé d'identité opérateur) of a French number in E.164: the contract (operator, quality, reference; 9
 * characters) and its key, which covers the contract and the number as dialled in France (ARCEP's RIO format).
 */
export function rioOf(contract: string, phoneNumber: string): string {
  const covered = contract + phoneNumber.replace(COUNTRY_CODE, "0");
  const key = FACTORS.map((factor) =>
    Array.from(covered).reduce(
      (sum, character) => (factor * sum + ORDER.indexOf(character)) % ORDER.length,
      0,
    ),
  );
  return contract + key.map((value) => ORDER.charAt(value)).join("");
}

/** Whether the key of a RIO fits a French number in E.164. */
export function belongsToNumber(rio: string, phoneNumber: string): boolean {
  return (
    phoneNumber.startsWith(COUNTRY_CODE) &&
    rioOf(rio.slice(0, CONTRACT_LENGTH), phoneNumber) === rio
  );
}
