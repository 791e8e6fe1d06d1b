/**
 * A sentence for a person, not yet rendered: the key of a text in the catalogue and the values of its placeholders.
 * It is a string (`room:key` or `room:key {"min":1}`) so that it can travel where only strings can, such as in a
 * schema's error. Only `messageFactory` makes one; `readMessage` takes it apart; the catalogue renders it.
 */
export type Message = string & { readonly __brand: 'Message' };

/** What may stand for a placeholder. */
export type MessageValues = Readonly<Record<string, string | number>>;

// 'rows_one' and 'rows_other' are said as 'rows' with a `count`.
type WithoutPlural<Key> = Key extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}`
  ? Base
  : Key;

/**
 * The maker of a room's messages: `const say = messageFactory<typeof text>('schools')`, then `say('notFound')` or
 * `say('limit', { max: 100 })`. The type parameter is the room's text file, so an unknown key does not compile.
 */
export function messageFactory<Texts extends object>(room: string) {
  return (key: WithoutPlural<Extract<keyof Texts, string>>, values?: MessageValues): Message =>
    (values === undefined ? `${room}:${key}` : `${room}:${key} ${JSON.stringify(values)}`) as Message;
}

/** Takes a message apart. A string that is not a message (a library's own words) comes back as `undefined`. */
export function readMessage(message: string): { key: string; values: MessageValues } | undefined {
  const found = /^([a-z-]+:[A-Za-z0-9]+)(?: (\{.*\}))?$/s.exec(message);
  if (found?.[1] === undefined) return undefined;
  return { key: found[1], values: found[2] === undefined ? {} : JSON.parse(found[2]) };
}
