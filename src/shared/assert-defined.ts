/** A value that the code before has made sure of, such as the row that an insert returns; the compiler cannot know. */
export function assertDefined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a value that was made sure of is not there');
  return value;
}
