import { beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { anActivity, anEntry, aPerson, aSchool } from '../../builders.ts';
import {
  DESKTOP,
  type District,
  open,
  openDistrict,
  pickActivity,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { words } from '../spoken-language.ts';

/** WCAG's enhanced contrast for text, and its requirement for the edge of a control. */
const TEXT = 7;
const EDGE = 4.5;

let district: District;
let vera: Awaited<ReturnType<typeof aPerson>>;
let ada: Awaited<ReturnType<typeof aPerson>>;

beforeAll(async () => {
  district = await openDistrict();
  const school = await aSchool(district, { name: 'Lincoln Elementary' });
  const fair = await anActivity(district, { school, name: 'Book fair' });
  vera = await aPerson(district, { schools: [school], firstName: 'Vera' });
  ada = await aPerson(district, { role: 'admin', firstName: 'Ada' });
  const date = dayIn('UTC', district.clock.now());
  await anEntry(district, { by: vera, activity: fair, hours: 2, date, notes: 'Sold 12 books' });
});

/** The main screens: who sees each one, and how to get there. */
const SCREENS: readonly (readonly [string, 'nobody' | 'vera' | 'ada', (visit: Visit) => Promise<unknown>])[] =
  [
    ['sign-in', 'nobody', (visit) => visit.button(words.auth.signIn).waitFor()],
    ['Log Time', 'vera', (visit) => visit.sees(words.activities.heading)],
    ['logging', 'vera', logging],
    ['Recent Activity', 'vera', recent],
    ['settings', 'vera', settings],
    ['Users', 'ada', users],
  ];

async function logging(visit: Visit) {
  await pickActivity(visit, 'Book fair');
  await visit.press(visit.page.getByRole('radio', { name: /^2 h/ }));
}
async function recent(visit: Visit) {
  await visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));
  await visit.sees('Sold 12 books');
}
async function settings(visit: Visit) {
  await visit.press(visit.button(words.users.settings));
  await visit.page
    .getByRole('dialog', { name: words.users.settingsTitle })
    .getByText(words.auth.thisDevice, { exact: true })
    .waitFor();
}
async function users(visit: Visit) {
  await toAdminPanel(visit);
  await visit.page.getByRole('row').filter({ hasText: 'Vera' }).waitFor();
}

describe.each(['light', 'dark'] as const)('with more contrast, in %s colors', (scheme) => {
  test.each(SCREENS)(
    `${'%s'} has a text contrast of ${TEXT}:1 and an edge contrast of ${EDGE}:1`,
    async (_, who, reach) => {
      const as = { nobody: undefined, vera, ada }[who];
      const visit = await open(district, {
        look: { ...DESKTOP, scheme },
        ...(as && { as }),
        before: moreContrast,
      });
      await reach(visit);
      const { texts, edges } = await visit.page.evaluate(contrasts);
      expect(texts.length).toBeGreaterThan(3);
      expect(texts.filter(({ ratio }) => ratio < TEXT)).toEqual([]);
      expect(edges.filter(({ ratio }) => ratio < EDGE)).toEqual([]);
    },
  );
});

test('with more contrast, the focus ring is three pixels wide instead of two', async () => {
  const widthOf = async (visit: Visit) => {
    await visit.page.keyboard.press('Tab');
    return visit.page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineWidth);
  };
  const more = await open(district, { before: moreContrast });
  await more.button(words.auth.signIn).waitFor();
  expect(await widthOf(more)).toBe('3px');
  const usual = await open(district);
  await usual.button(words.auth.signIn).waitFor();
  expect(await widthOf(usual)).toBe('2px');
});

function moreContrast(page: Visit['page']) {
  return page.emulateMedia({ contrast: 'more' });
}

/**
 * Runs in the page. Returns the contrast of each text, and of the edge of each field and button, with its background.
 */
function contrasts() {
  const parse = (color: string) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (canvas === null) throw new Error('no canvas');
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (color: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = color.map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratioOf = (one: readonly number[], other: readonly number[]) => {
    const [more = 0, less = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return Math.round(((more + 0.05) / (less + 0.05)) * 100) / 100;
  };
  const behind = (element: Element | null): number[] => {
    if (element === null) return parse(getComputedStyle(document.documentElement).backgroundColor);
    const color = parse(getComputedStyle(element).backgroundColor);
    return (color[3] ?? 0) > 250 ? color : behind(element.parentElement);
  };
  const shown = [...document.querySelectorAll('body *')].filter(
    (one) =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      one.closest('.sr-only, [aria-disabled="true"], :disabled') === null &&
      !one.matches('option') &&
      one.getBoundingClientRect().width > 2,
  );
  const texts = shown
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
    .map((one) => ({
      words: one.textContent?.slice(0, 30),
      ratio: ratioOf(parse(getComputedStyle(one).color), behind(one)),
    }));
  const edges = shown
    .filter(
      (one) =>
        one.matches('input, select, textarea') && Number.parseFloat(getComputedStyle(one).borderTopWidth) > 0,
    )
    .map((one) => ({
      field: one.outerHTML.slice(0, 60),
      ratio: ratioOf(parse(getComputedStyle(one).borderTopColor), behind(one.parentElement)),
    }));
  return { texts, edges };
}
