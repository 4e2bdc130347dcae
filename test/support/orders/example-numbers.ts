/** A number of each kind that can be ordered; with other last digits it stays one of the kind. */
const NUMBERS: Readonly<Record<string, string>> = {
  "US local": "+12125550143",
  "US mobile": "+12125550143",
  "US toll_free": "+18002255288",
  "CA local": "+14165550143",
  "CA mobile": "+14165550143",
  "CA toll_free": "+18002255288",
  "GB local": "+442079460143",
  "GB mobile": "+447400123456",
  "GB national": "+443331234567",
  "GB toll_free": "+448081570000",
  "GB shared_cost": "+448451234567",
  "FR local": "+33142345143",
  "FR mobile": "+33612345678",
  "FR national": "+33912345678",
  "FR toll_free": "+33800123456",
  "DE local": "+493023125143",
  "DE mobile": "+4915123456789",
  "DE national": "+4932221234567",
  "DE toll_free": "+498001234567",
  "DE shared_cost": "+4918051234567",
  "ES local": "+34912345143",
  "ES mobile": "+34612345143",
  "ES national": "+34511234567",
  "ES toll_free": "+34900123456",
  "ES shared_cost": "+34902123456",
  "AU local": "+61293741143",
  "AU mobile": "+61412345678",
  "AU national": "+61147101234",
  "AU toll_free": "+611800123456",
  "AU shared_cost": "+611300123456",
  "NL local": "+31201234567",
  "NL national": "+31881234567",
  "NL toll_free": "+318001234",
  "BE local": "+3227901234",
  "BE mobile": "+32470123456",
  "BE toll_free": "+3280012345",
  "IE local": "+35314567890",
  "IE mobile": "+353851234567",
  "IE national": "+353818123456",
  "IE toll_free": "+3531800123456",
};

/** @throws where no number of the kind is known */
export function exampleNumberOf(countryCode: string, numberType: string): string {
  const number = NUMBERS[`${countryCode} ${numberType}`];
  if (number === undefined) throw new Error(`no number of ${countryCode} ${numberType}`);
  return number;
}
