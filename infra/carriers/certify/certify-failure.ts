/** Why a scenario did not pass, as a sentence for the integrator. */
export class CertifyFailure extends Error {}

/** Why a scenario cannot be played with this provider. */
export class CertifySkip extends Error {}
