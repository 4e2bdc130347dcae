/** The named person whose token a request carries. */
export interface OperatorPrincipal {
  readonly operatorId: string;
  readonly name: string;
}
