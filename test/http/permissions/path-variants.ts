/**
 * A way to write the path of a call, and whether it reaches the same call, none, or another call that rejects it. 'either' is
 * for NUL, which is removed from names in a path but not from the path itself. `isRaw` is for paths that a client would
 * normalize before sending them.
 */
export type Spelling = Readonly<{
  name: string;
  write: (path: string) => string;
  is: 'the same' | 'no call' | 'either';
  isRaw?: true;
}>;

export const PLAIN: Spelling = { name: 'plainly', write: (path) => path, is: 'the same' };

/** Variants of a whole path, which begins with /api and may end with a query. */
export const ODD_PATHS: readonly Spelling[] = [
  { name: 'with /api twice', write: (path) => `/api${path}`, is: 'the same' },
  { name: 'with a further query', write: (path) => joined(path, 'x=%2e%2e'), is: 'the same' },
  { name: 'with a letter as a code', write: (path) => path.replace('/api/', '/%61pi/'), is: 'the same' },
  { name: 'with /api three times', write: (path) => `/api/api${path}`, is: 'no call' },
  { name: 'with a slash at the end', write: (path) => path.replace(/(?=\?|$)/, '/'), is: 'no call' },
  { name: 'with a slash twice', write: (path) => path.replace('/api/', '/api//'), is: 'no call' },
  { name: 'with two slashes in front', write: (path) => `/${path}`, is: 'no call' },
  { name: 'with a dot', write: (path) => path.replace('/api/', '/api/./'), is: 'no call', isRaw: true },
  {
    name: 'with a dot as a code',
    write: (path) => path.replace('/api/', '/api/%2e/'),
    is: 'no call',
    isRaw: true,
  },
  {
    name: 'with dots as codes',
    write: (path) => path.replace('/api/', '/x/%2e%2e/api/'),
    is: 'no call',
    isRaw: true,
  },
  { name: 'with a slash as a code', write: (path) => path.replace('/api/', '/api%2f'), is: 'no call' },
  { name: 'with a backslash', write: (path) => path.replace('/api/', '/api\\'), is: 'no call', isRaw: true },
  { name: 'in capitals', write: (path) => path.replace(/^[^?]*/, capitals), is: 'no call' },
  { name: 'with a semicolon', write: (path) => path.replace(/(?=\?|$)/, ';a=b'), is: 'no call' },
  { name: 'with a space at the end', write: (path) => path.replace(/(?=\?|$)/, '%20'), is: 'no call' },
  { name: 'with a NUL at the end', write: (path) => path.replace(/(?=\?|$)/, '%00'), is: 'either' },
];

/** Variants of the number in a path; only percent-encoded digits are the same number. */
export const ODD_NUMBERS: readonly Spelling[] = [
  { name: 'its number in codes', write: (id) => [...id].map(code).join(''), is: 'the same' },
  { name: 'its number after a zero', write: (id) => `0${id}`, is: 'no call' },
  { name: 'its number after a plus', write: (id) => `+${id}`, is: 'no call' },
  { name: 'its number after a plus as a code', write: (id) => `%2B${id}`, is: 'no call' },
  { name: 'its number after a space', write: (id) => `%20${id}`, is: 'no call' },
  { name: 'its number before a space', write: (id) => `${id}%20`, is: 'no call' },
  { name: 'its number with a decimal', write: (id) => `${id}.0`, is: 'no call' },
  { name: 'its number with an exponent', write: (id) => `${id}e0`, is: 'no call' },
  { name: 'its number before a NUL', write: (id) => `${id}%00`, is: 'either' },
  { name: 'its number in wide digits', write: (id) => encodeURIComponent(wide(id)), is: 'no call' },
];

const joined = (path: string, more: string) => `${path}${path.includes('?') ? '&' : '?'}${more}`;
const capitals = (path: string) => path.replace('/api', '/API').toUpperCase();
const code = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
const wide = (id: string) =>
  [...id].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('');
