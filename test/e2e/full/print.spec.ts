import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, day, dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anEntry, anOutsideLetter, aPerson, aSchool } from '../../builders.ts';
import {
  DESKTOP,
  type District,
  open,
  openDistrict,
  pressAction,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let vera: Awaited<ReturnType<typeof aPerson>>;
let ana: Awaited<ReturnType<typeof aPerson>>;
let outside: string;
let code: string;

beforeAll(async () => {
  district = await openDistrict();
  school = await aSchool(district, { name: 'Lincoln Elementary', verification: 'on' });
  const fairs = await aCategory(district, { school, name: 'Fairs', color: '#ffe066' });
  const today = dayIn('UTC', district.clock.now());
  const fair = await anActivity(district, { school, category: fairs, name: 'Book fair', activeFrom: today });
  const club = await anActivity(district, { school, name: 'Garden club' });
  vera = await aPerson(district, { schools: [school], firstName: 'Vera', lastName: 'Lopez' });
  ana = await aPerson(district, { role: 'admin', firstName: 'Ana', lastName: 'Ruiz' });
  for (let back = 0; back < 6; back += 1) {
    const date = addDays(day(today), -back);
    await anEntry(district, {
      by: vera,
      activity: back % 2 ? fair : club,
      hours: 1.5,
      date,
      notes: 'Sold 12 books',
    });
  }
  await district.deps.database.db
    .updateTable('time_entries')
    .set({ verification: 'waiting' })
    .where('user_id', '=', vera.id)
    .execute();
  const oak = await aSchool(district, { name: 'Oak Hill' });
  const picnic = await anActivity(district, { school: oak, name: 'Picnic' });
  await anEntry(district, { by: ana, activity: picnic, hours: 2, date: today });
  const period = { startDate: '2020-01-01', endDate: today };
  const made = await district.call('POST /api/reports/letters', {
    token: ana.token,
    body: { ...period, schoolId: oak.id, withDates: true, language: 'en' },
  });
  code = String(made.body.letter?.code);
  ({ token: outside } = await anOutsideLetter(district, {
    by: vera,
    activity: { ...club, schoolId: school.id },
  }));
});

/** The printable screens: who prints each one, how to get there, and what its heading must contain. */
const SCREENS: readonly (readonly [
  name: string,
  who: 'vera' | 'ana' | 'nobody',
  reach: (visit: Visit) => Promise<unknown>,
  says: readonly RegExp[],
])[] = [
  ['Recent Activity', 'vera', recent, [/Lincoln Elementary/, /Vera Lopez/, /Period/, /Total/, /Signature/]],
  [
    'the hours statement',
    'vera',
    statement,
    [/Lincoln Elementary/, /Vera Lopez/, /Since|This school year| to /, /Signed/],
  ],
  ['the list of service letters', 'vera', letters, [/Service letters/]],
  [
    'Manage Photos',
    'vera',
    (visit) => visit.press(visit.page.getByRole('tab', { name: words.web.managePhotos })),
    [],
  ],
  ['Log Time', 'vera', (visit) => visit.sees(words.activities.heading), []],
  ['Time Entries', 'ana', entries, [/Lincoln Elementary/, /Period/, /Total/, /Signature/]],
  ['the verification queue', 'ana', desk, [/Lincoln Elementary/, /Book fair/, /Vera Lopez/]],
  ['Analytics', 'ana', analytics, [/district|Schools|Lincoln/i, /year|time| to /i]],
  ['the service letter check', 'nobody', checked, [/Oak Hill/, /Ana Ruiz/, / to /]],
  [
    "the external verifier's page",
    'nobody',
    (visit) => visit.page.goto(`/?verify=${outside}`),
    [/Lincoln Elementary/, /Vera Lopez/],
  ],
  ['Users', 'ana', (visit) => tab(visit, words.users.title), [/Vera Lopez/]],
  ['Activities', 'ana', (visit) => ofSchool(visit, words.activities.title), [/Book fair/]],
  ['Categories', 'ana', (visit) => ofSchool(visit, words.categories.title), [/Fairs/]],
  ['Schools', 'ana', (visit) => tab(visit, words.schools.title), [/Lincoln Elementary/]],
];

async function checked(visit: Visit) {
  await visit.page.goto(`/?letter=${code}`);
  await visit.page.getByLabel('last name').fill('Ruiz');
  await visit.page.keyboard.press('Enter');
  await visit.sees('Ana Ruiz');
}
async function recent(visit: Visit) {
  await visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));
  await visit.page
    .getByRole('button', { name: /^Edit / })
    .first()
    .waitFor();
}
async function statement(visit: Visit) {
  await recent(visit);
  await visit.press(visit.button(words['time-entries'].statement));
  await visit.sees(words.analytics.signatureVolunteer);
}
async function letters(visit: Visit) {
  await recent(visit);
  await pressAction(visit, words['time-entries'].letters, words.web.more);
  await visit.sees(words['service-letters'].title);
}
async function tab(visit: Visit, name: string) {
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name, exact: true }));
  await visit.page.getByRole('table').first().waitFor();
}
async function ofSchool(visit: Visit, name: string) {
  await toAdminPanel(visit);
  // The tab's name may end with a number of pending items.
  await visit.press(visit.page.getByRole('tab', { name: new RegExp(`^${name}`) }));
  await visit.page.getByLabel(words.schools.filter, { exact: true }).selectOption(school.name);
  await visit.page.getByRole('table').first().waitFor();
}
async function entries(visit: Visit) {
  await ofSchool(visit, words['time-entries'].title);
}
async function desk(visit: Visit) {
  await entries(visit);
  await pressAction(visit, words['time-entries'].verifyHours);
  await visit.page.getByRole('heading', { name: words.verification.deskTitle }).waitFor();
  await visit.page
    .getByRole('heading', { name: /Book fair/ })
    .first()
    .waitFor();
}
async function analytics(visit: Visit) {
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words.analytics.title, exact: true }));
  await visit.sees(words.analytics.byMonth);
}

describe.each(['light', 'dark'] as const)('on a device in %s colors', (scheme) => {
  test.each(SCREENS)('%s prints black on white, without controls', async (_, who, reach, says) => {
    const as = { vera, ana, nobody: undefined }[who];
    const look = { ...DESKTOP, scheme };
    const visit = await open(district, { look, ...(as && { as }), stored: { theme: scheme } });
    await reach(visit);
    await visit.page.emulateMedia({ media: 'print' });
    // Browsers send this event before they print, and some tables render only then.
    await visit.page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await visit.page.waitForTimeout(300);
    const printed = await visit.page.evaluate(whatIsPrinted);
    expect.soft(printed.controls).toEqual([]);
    expect.soft(printed.notBlack).toEqual([]);
    for (const words of says) expect.soft(printed.text).toMatch(words);
  });
});

/** Runs in the page. Returns its text, the controls in it, and what is not dark on light or not on white. */
function whatIsPrinted() {
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const light = (color: string) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return alpha === 0 ? 255 : 0.299 * red + 0.587 * green + 0.114 * blue;
  };
  // The button of a row or a section is printed as its name, and a select as its selected option.
  const isName = (one: Element) =>
    one.closest('td, th, h2, h3, h4, [data-printed], li > button:only-child') !== null &&
    (one as HTMLElement).innerText !== '';
  const controls = [...document.querySelectorAll('button, input, textarea, [role="tab"], nav a')]
    .filter((one) => isShown(one) && !isName(one))
    .map((one) => one.textContent || one.getAttribute('aria-label') || one.outerHTML.slice(0, 80));
  const notBlack = [...document.querySelectorAll('body *')].filter(isShown).flatMap((one) => {
    const { color, backgroundColor } = getComputedStyle(one);
    const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    const isSmall = one.getBoundingClientRect().width < 24;
    const isWrong = (hasText && light(color) > 110) || (!isSmall && hasText && light(backgroundColor) < 200);
    return isWrong ? [`${one.textContent?.slice(0, 40)}: ${color} on ${backgroundColor}`] : [];
  });
  return { controls, notBlack, text: document.body.innerText };
}
