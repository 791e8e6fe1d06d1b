/**
 * A message, not yet rendered: its key in the catalog and the values of its placeholders. It is a string
 * (`namespace:key` or `namespace:key {"min":1}`), so that it fits where only strings do, such as in a
 * schema's error. Only `messageFactory` creates one; `readMessage` parses it; the catalog renders it.
 */
export type Message = string & { readonly __brand: 'Message' };

/** The values of placeholders. */
export type MessageValues = Readonly<Record<string, string | number>>;

// 'rows_one' and 'rows_other' are one message 'rows' with a `count`.
type WithoutPlural<Key> = Key extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}`
  ? Base
  : Key;

/**
 * Creates a feature's message function: `const say = messageFactory<typeof text>('schools')`, then
 * `say('notFound')` or `say('limit', { max: 100 })`. The type parameter is the message file, so an unknown
 * key does not compile.
 */
export function messageFactory<Texts extends object>(namespace: string) {
  return (key: WithoutPlural<Extract<keyof Texts, string>>, values?: MessageValues): Message =>
    (values === undefined
      ? `${namespace}:${key}`
      : `${namespace}:${key} ${JSON.stringify(values)}`) as Message;
}

/** Parses a message; undefined for a string that is not a message (a library's own text). */
export function readMessage(message: string): { key: string; values: MessageValues } | undefined {
  const found = /^([a-z-]+:[A-Za-z0-9]+)(?: (\{.*\}))?$/s.exec(message);
  if (found?.[1] === undefined) return undefined;
  return { key: found[1], values: found[2] === undefined ? {} : JSON.parse(found[2]) };
}
