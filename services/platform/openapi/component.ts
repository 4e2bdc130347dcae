/** What a reference to a schema of an OpenAPI document begins with; the component's name follows. */
export const COMPONENT = "#/components/schemas/";
