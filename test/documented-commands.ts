import { globSync, readFileSync } from 'node:fs';

/** The documents that users, operators and developers read. */
export const DOCUMENTS: readonly string[] = [...globSync('{*,docs/**/*}.md').sort()];

/** The npm commands that the documents name, as words: ['backup', '--to', '/mnt/backups']. Those with brackets or '...' are forms. */
export function documentedCommands(): string[][] {
  const code = DOCUMENTS.flatMap((document) => {
    const text = readFileSync(document, 'utf8');
    const blocks = [...text.matchAll(/```sh\n([^`]+)```/g)].flatMap(([, block = '']) => block.split('\n'));
    const spans = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(
      ([, span = '']) => span,
    );
    return [...blocks, ...spans];
  });
  const named = code.flatMap((line) => /\bnpm run ([^#]+)/.exec(line.replaceAll(/\s+/g, ' '))?.[1] ?? []);
  const unique = new Set(named.map((command) => command.replace(' -- ', ' ').replace(/ --$/, '').trim()));
  return [...unique]
    .filter((command) => !/[[\]<>]|\.\.\./.test(command))
    .map((command) => command.split(' '));
}
