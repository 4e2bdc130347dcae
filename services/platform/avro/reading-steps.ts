import avro, { type Type } from "avsc";

/** Ours have 30 at most. */
const MOST_STEPS = 256;

/**
 * Refuses a schema by which few bytes could take long to read: records of records need none for themselves, so that forty
 * of them, each with two fields of the next, are a million million steps. What follows a byte, a branch of a union or an
 * item of an array, begins to count again.
 * @throws {RangeError}
 */
export function requireFewSteps(type: Type): void {
  const counted = new Map<Type, number>();
  const waiting: Type[] = [type];
  const stepsOf = (one: Type): number => {
    const known = counted.get(one);
    if (known !== undefined) return known;
    counted.set(one, Infinity); // a record that has itself as a field never ends
    const steps = 1 + partsOf(one).reduce((sum, part) => sum + stepsOf(part), 0);
    counted.set(one, steps);
    waiting.push(...contentsOf(one));
    return steps;
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (stepsOf(next) > MOST_STEPS) {
      throw new RangeError("records have too many fields, or too many records in each other");
    }
  }
}

/** What is read with a value of the type, whatever its bytes are. */
function partsOf(type: Type): Type[] {
  const { RecordType, LogicalType } = avro.types;
  if (type instanceof RecordType) return type.fields.map((field) => field.type);
  return type instanceof LogicalType ? [type.underlyingType] : [];
}

/** What follows a byte of its own. */
function contentsOf(type: Type): Type[] {
  const { ArrayType, MapType, UnwrappedUnionType, WrappedUnionType } = avro.types;
  if (type instanceof ArrayType) return [type.itemsType];
  if (type instanceof MapType) return [type.valuesType as Type];
  const isUnion = type instanceof UnwrappedUnionType || type instanceof WrappedUnionType;
  return isUnion ? [...(type.types as readonly Type[])] : [];
}
