/**
 * Returns a value that is always defined although its type allows undefined, such as the row that an insert returns. Throws if
 * it is undefined.
 */
export function assertDefined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a value that must be defined is missing');
  return value;
}
