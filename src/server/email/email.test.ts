import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Instant } from '#shared/calendar-date.ts';
import { readConfig } from '../config.ts';
import { buildMimeMessage } from './email.ts';

const tokens = readFileSync(new URL('../../web/ui/tokens.css', import.meta.url), 'utf8');
// The first of a name is that of the light colours.
const colour = (name: string) => tokens.match(new RegExp(`--${name}: (#[0-9a-f]+);`))?.[1] ?? 'no colour';

test('an email has the same colors as the screens', async () => {
  const { raw } = await buildMimeMessage(
    { config: readConfig({}) },
    {
      to: { name: 'Maria', address: 'maria@example.org' },
      language: 'en',
      subject: 'Your link',
      paragraphs: ['Hello Maria'],
      button: { label: 'Choose a password', url: 'https://example.org' },
      footnotes: ['Maple Grove'],
    },
    { messageId: 'one@example.org', at: '2026-03-04T12:00:00.000Z' as Instant },
  );
  // Quoted-printable cuts long lines.
  const html = raw.toString().replaceAll('=\r\n', '');
  for (const name of ['brand', 'page', 'ink', 'soft', 'line']) expect(html).toContain(colour(name));
});

test("an email shows the logo's URL and the district's name, or no logo on a server without a URL", async () => {
  const config = {
    ...readConfig({ DISTRICT_NAME: 'Maple & Grove' }),
    districtLogo: { url: '/api/schools/logos/a.png', width: 500, height: 125 },
  };
  const written = async (given: object) => {
    const { raw } = await buildMimeMessage(
      { config: { ...config, ...given } },
      {
        to: { name: '', address: 'maria@example.org' },
        language: 'en',
        subject: 'Hello',
        paragraphs: ['Hello'],
        footnotes: [],
      },
      { messageId: 'one@example.org', at: '2026-03-04T12:00:00.000Z' as Instant },
    );
    return raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
  };
  expect(await written({ publicUrl: 'https://hours.example.org' })).toContain(
    '<img src="https://hours.example.org/api/schools/logos/a.png" alt="Maple &amp; Grove" width="192" height="48"',
  );
  expect(await written({})).not.toContain('<img');
  expect(await written({ publicUrl: 'https://hours.example.org', districtLogo: undefined })).not.toContain(
    '<img',
  );
});
