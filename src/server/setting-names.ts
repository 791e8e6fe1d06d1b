type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter names are one edit away from too many others. */
const MIN_LENGTH = 5;
const SECRET = /SECRET|PASSWORD$|TOKEN$|^OIDC_PROVIDERS$/;
const HIDDEN = '***';

/**
 * Returns variables that look like a misspelled setting: one letter missing, added, replaced or swapped with the next, or in
 * another case. A typo would otherwise silently leave the setting at its default.
 */
export function misspelledSettings(
  environment: Environment,
  names: readonly string[],
): [given: string, meant: string][] {
  const long = names.filter((name) => name.length >= MIN_LENGTH);
  return Object.keys(environment)
    .filter((given) => !names.includes(given))
    .flatMap((given) => {
      const meant = long.find((name) => isOneEditAway(given.toUpperCase(), name));
      return meant === undefined ? [] : [[given, meant] as [string, string]];
    });
}

/** Returns variables that start like a setting but are not one. */
export function unknownSettings(environment: Environment, names: readonly string[]): string[] {
  const prefixes = new Set(names.filter((name) => name.includes('_')).map(prefixOf));
  return Object.keys(environment).filter((given) => !names.includes(given) && prefixes.has(prefixOf(given)));
}

const prefixOf = (name: string) => name.slice(0, name.indexOf('_') + 1);

/** A setting's value for display, with secrets and the credentials in addresses masked. */
export function maskSetting(name: string, value: string): string {
  if (SECRET.test(name)) return HIDDEN;
  return value.replace(/^([a-z0-9+]+:\/\/)[^@/]*@/i, `$1${HIDDEN}@`).replace(/\?.*/, `?${HIDDEN}`);
}

function isOneEditAway(given: string, name: string): boolean {
  if (given === name) return true;
  let from = 0;
  while (from < name.length && given[from] === name[from]) from += 1;
  const [rest, wanted] = [given.slice(from), name.slice(from)];
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    (rest.slice(2) === wanted.slice(2) && rest[0] === wanted[1] && rest[1] === wanted[0])
  );
}
