import { expect, test } from 'vitest';
import { open, openDistrict } from '../browser.ts';
import { saying, words } from '../spoken-language.ts';
import { untranslated } from './untranslated.ts';

test('the translation check finds English text, but ignores user content', async () => {
  const { page, sees } = await open(await openDistrict());
  await sees(words.auth.signInTitle);
  expect(await untranslated(page)).toEqual([]);
  await page.evaluate(
    (own) => {
      const shown = (text: string, attribute?: string) => {
        const element = document.body.appendChild(document.createElement('p'));
        if (attribute === undefined) element.textContent = text;
        else element.setAttribute(attribute, text);
        return element;
      };
      shown('Search activities');
      shown('2 activities found');
      shown('Clear search', 'aria-label').textContent = '·';
      shown('Nobody told the translator about this');
      shown('Log Time').hidden = true;
      shown('Book fair');
      for (const one of own) shown(one);
      document.title = 'Sign in';
    },
    [saying('web:remove', { name: 'Book fair' }), saying('web:remove', { name: 'Search activities' })],
  );
  expect(await untranslated(page)).toEqual([
    'English “Sign in”: Sign in',
    'English “Search activities”: Search activities',
    'English “{{count}} activities found”: 2 activities found',
    'English word “the”: Nobody told the translator about this',
    `English “Search activities”: ${saying('web:remove', { name: 'Search activities' })}`,
    'English “Clear search”: Clear search',
  ]);
});
