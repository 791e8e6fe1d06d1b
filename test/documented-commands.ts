import { globSync, readFileSync } from 'node:fs';

/** The documents that users, operators and developers read. */
export const DOCUMENTS: readonly string[] = [...globSync('{*,docs/**/*}.md').sort()];

/** The npm commands in the documents, as words: ['backup', '--to', '/mnt/backups']. Patterns with brackets or '...' are left out. */
export function documentedCommands(): string[][] {
  const code = DOCUMENTS.flatMap((document) => {
    const text = readFileSync(document, 'utf8');
    const blocks = [...text.matchAll(/```sh\n([^`]+)```/g)].flatMap(([, block = '']) => block.split('\n'));
    const spans = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(
      ([, span = '']) => span,
    );
    return [...blocks, ...spans];
  });
  const commands = code.flatMap((line) => /\bnpm run ([^#]+)/.exec(line.replaceAll(/\s+/g, ' '))?.[1] ?? []);
  const unique = new Set(commands.map((command) => command.replace(' -- ', ' ').replace(/ --$/, '').trim()));
  return [...unique]
    .filter((command) => !/[[\]<>]|\.\.\./.test(command))
    .map((command) => command.split(' '));
}
