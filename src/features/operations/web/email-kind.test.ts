import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { emailKindLabel } from './email-kind.ts';

const text = { t: (key: string) => key } as unknown as Parameters<typeof emailKindLabel>[1];

describe('the label of a queued email', () => {
  test('ignores an id or suffix after the kind', () => {
    const said = [
      'invite-12',
      'photo-takedown-7',
      'photo-takedowns-3',
      'suggestion-approved',
      'suggestion-digest',
    ];
    expect(said.map((kind) => emailKindLabel(kind, text))).toEqual([
      'operations:kindInvite',
      'operations:kindPhotoTakedown',
      'operations:kindPhotoTakedowns',
      'operations:kindSuggestion',
      'operations:kindSuggestionDigest',
    ]);
    expect(emailKindLabel('of-another-version', text)).toBe('of-another-version');
  });

  test('exists for every kind that the server queues', () => {
    const sources = globSync('src/features/**/server/**/*.ts')
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => readFileSync(path, 'utf8'))
      .filter((source) => /\bpost\(|\bqueue\w*Emails?\(|encryptEmail\(/.test(source));
    const kinds = sources.flatMap((source) =>
      [
        // Columns of exported tables have kinds too, on the line of their title.
        ...source
          .replaceAll(/^.*\btitle: .*$/gm, '')
          .matchAll(/(?:kind: |KIND = |_LINK = |Reminders\(deps, )['`]([a-z]+(?:-[a-z]+)*)-?['`$]/g),
      ].map(([, kind = '']) => kind),
    );
    expect(kinds.length).toBeGreaterThan(15);
    // Columns of exported tables have kinds too.
    const ofColumns = ['text', 'number', 'day'];
    const ofEmails = [...new Set(kinds)].filter((kind) => !ofColumns.includes(kind));
    expect(ofEmails.filter((kind) => emailKindLabel(kind, text) === kind)).toEqual([]);
  });
});
