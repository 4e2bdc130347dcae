/** The Luhn sum: every second digit from the right is doubled, and two-digit results are replaced by their digit sum. */
function luhnSum(digits: string): number {
  const doubledFrom = digits.length % 2;
  return sumOf(digits, (digit, n) => {
    const value = digit * (n % 2 === doubledFrom ? 2 : 1);
    return value > 9 ? value - 9 : value;
  });
}

function sumOf(digits: string, weigh: (digit: number, n: number) => number): number {
  return Array.from(digits, (digit, n) => weigh(Number(digit), n)).reduce((a, b) => a + b, 0);
}

/** Whether the digits end with the Luhn digit of those before it (ITU-T E.118). */
export function isIccId(digits: string): boolean {
  return luhnSum(digits) % 10 === 0;
}

const LA_POSTE = "356000000";

/** Whether 14 digits are a SIRET: Luhn, or a digit sum divisible by 5 for La Poste's many offices (INSEE). */
export function isSiret(digits: string): boolean {
  if (luhnSum(digits) % 10 === 0) return true;
  return digits.startsWith(LA_POSTE) && sumOf(digits, (digit) => digit) % 5 === 0;
}

const PERSON_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const ENTITY_LETTERS = "JABCDEFGHI";
/** A foreigner's number begins with a letter that represents a digit. */
const FOREIGNER_DIGITS: Readonly<Record<string, string>> = { X: "0", Y: "1", Z: "2" };
/** Children, Spaniards abroad, and foreigners without a number of their own. */
const SPECIAL_PERSONS = "KLM";
const WITH_CHECK_LETTER = "NPQRSW";
const WITH_CHECK_DIGIT = "ABEH";

/** Whether a Spanish NIF, NIE or CIF of the right form ends with the right check character (Real Decreto 1065/2007). */
export function isSpanishTaxId(id: string): boolean {
  const first = id.charAt(0);
  const check = id.charAt(8);
  if (SPECIAL_PERSONS.includes(first)) return check === personLetter(id.slice(1, 8));
  const digits = FOREIGNER_DIGITS[first] ?? first;
  if (/^\d$/.test(digits)) return check === personLetter(digits + id.slice(1, 8));
  return isEntityCheck(first, check, id.slice(1, 8));
}

function personLetter(digits: string): string {
  return PERSON_LETTERS.charAt(Number(digits) % PERSON_LETTERS.length);
}

/** The check of an entity's seven digits is Luhn's; whether it is a digit or a letter depends on the entity's kind. */
function isEntityCheck(kind: string, check: string, digits: string): boolean {
  const value = (10 - (luhnSum(`${digits}0`) % 10)) % 10;
  const isLetter = check === ENTITY_LETTERS.charAt(value);
  if (WITH_CHECK_LETTER.includes(kind)) return isLetter;
  if (WITH_CHECK_DIGIT.includes(kind)) return check === String(value);
  return isLetter || check === String(value);
}
