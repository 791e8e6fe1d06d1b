import { isTrashed, type KeptFile, type State } from './fake-state.ts';
import { GoogleError } from './replies.ts';

type Test = (file: KeptFile) => boolean;

const STRING = String.raw`'((?:[^'\\]|\\['\\])*)'`;

const TERMS: readonly (readonly [RegExp, (state: State, ...found: string[]) => Test])[] = [
  [new RegExp(`^name = ${STRING}`), (_, name) => (file) => file.name === name],
  [new RegExp(`^mimeType = ${STRING}`), (_, type) => (file) => file.mimeType === type],
  [
    new RegExp(`^${STRING} in parents`),
    (_, id = '') =>
      (file) =>
        file.parents.includes(id),
  ],
  [/^trashed = (true|false)/, (state, wanted) => (file) => String(isTrashed(state, file)) === wanted],
  [
    new RegExp(`^appProperties has \\{ key=${STRING} and value=${STRING} \\}`),
    (_, key = '', value) =>
      (file) =>
        file.appProperties[key] === value,
  ],
];

/** Parses a search query of Drive; throws 400 for an invalid one, and for one that includes the trash. */
export function searching(state: State, q: string): Test {
  const tests: Test[] = [];
  let rest = q;
  while (rest !== '') {
    const [term, found] = termIn(rest);
    tests.push(term(state, ...found.slice(1).map(unescaped)));
    rest = rest.slice(found[0].length);
    if (rest === '') break;
    if (!/^ and ./.test(rest)) throw invalid();
    rest = rest.slice(' and '.length);
  }
  if (!/(^| )trashed = false( |$)/.test(q))
    throw new GoogleError(400, 'invalid', 'the trash is searched too');
  return (file) => tests.every((passes) => passes(file));
}

function termIn(text: string) {
  for (const [pattern, term] of TERMS) {
    const found = pattern.exec(text);
    if (found !== null) return [term, found] as const;
  }
  throw invalid();
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(['\\])/g, '$1');
}

function invalid(): GoogleError {
  return new GoogleError(400, 'invalid', 'Invalid Value');
}
