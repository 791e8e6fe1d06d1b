/**
 * Asserts that a value is defined where the compiler cannot know it, such as the row that an insert returns.
 * Throws otherwise.
 */
export function assertDefined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a value that must be defined is missing');
  return value;
}
