import { beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import type { GrantRole } from '#shared/permissions.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aSchool,
  aSuggestion,
  PASSWORD,
} from '../../builders.ts';
import { drawn } from '../../images/draw-image.ts';
import { upload } from '../../upload.ts';
import { type District, LOOKS, type Look, open, openDistrict, toAdminPanel, type Visit } from '../browser.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

/** A word in every name at the other school. */
const ELSEWHERE = 'Harbor';

/** The buttons that a read-only role may press: they open, filter, download or close something. */
const READS = [
  /^(Users|Schools|Categories|Activities|Suggestions.*|Time Entries|Photos|Analytics|Audit log)$/,
  /^(People|Requests.*|Invitations.*)$/,
  /^(Back to Time Tracker|Back|Back to Admin.*|Skip to content|Keyboard shortcuts|Menu)$/,
  /^(Accessibility|help@maplegrove\.example)$/,
  /^(Close|Clear .*|Filters.*|Reset All|Show .*|Try again|History.*|User: .*|Person: .*|Choose another .*)$/,
  /^(Export|Print|Download .*|CSV|Excel|Back to Selection|Change Activity|Dismiss)$/,
  /^(Olga Helder|Vera Lindholm|Ines Waiting|Lincoln Elementary|Events|Book fair|Garden club|Chess evening|person\d+@)/,
  /^(Activity|User|Date|Hours|Name|Email|Last login)$/,
  /^(By activity|All photos|To review.*|Previous photo|Next photo|Open .*)$/,
];

let district: District;
let lincoln: { id: number; name: string };
let harbor: { id: number; name: string };
let ada: { token: string };
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict({ REGISTRATION: 'approval' });
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  harbor = await aSchool(district, { name: 'Harbor Middle School' });
  const today = dayIn('UTC', district.clock.now());
  const both = [lincoln, harbor];
  const vera = await aPerson(district, { schools: both, firstName: 'Vera', lastName: 'Lindholm' });
  for (const school of both) {
    const prefix = school === harbor ? `${ELSEWHERE} ` : '';
    const events = await aCategory(district, { school, name: `${prefix}Events` });
    const fair = await anActivity(district, { school, category: events, name: `${prefix}Book fair` });
    await anActivity(district, { school, category: events, name: `${prefix}Garden club` });
    await anEntry(district, {
      by: vera,
      activity: fair,
      hours: 2,
      date: today,
      notes: `${prefix}Sold books`,
    });
    await anEntry(district, { by: vera, activity: fair, hours: 1, date: today, deletedBy: vera });
    await aSuggestion(district, { by: vera, school, category: events, name: `${prefix}Chess evening` });
    const files = [
      {
        name: `${prefix}fair.jpg`,
        content: await drawn(school === harbor ? 320 : 300, 200)
          .jpeg()
          .toBuffer(),
      },
    ];
    await upload(district, { by: vera, to: fair, files });
    const asks = {
      email: `asks${school.id}@maplegrove.example`,
      firstName: `${prefix}Ines`,
      lastName: 'Waiting',
    };
    await district.call('POST /api/auth/register', {
      body: { ...asks, password: PASSWORD, schoolIds: [school.id] },
    });
    await district.call('POST /api/admin/invites', {
      token: ada.token,
      body: { email: `${prefix.trim().toLowerCase()}invited@maplegrove.example`, schoolIds: [school.id] },
    });
  }
  await aPerson(district, { schools: [harbor], firstName: ELSEWHERE, lastName: 'Quayle' });
  await district.call('PUT /api/admin/reports/rate', {
    token: ada.token,
    body: { hourlyRate: 34.79, source: 'Independent Sector', year: 2024 },
  });
});

const tab = (name: string) => visit.page.getByRole('tab', { name: new RegExp(`^${name}`) });
const dialog = () => visit.page.getByRole('dialog');
const question = () => visit.page.getByRole('alertdialog');
const row = (name: string) => visit.page.getByRole('row').filter({ hasText: name });
const heading = (name: string | RegExp) => visit.page.getByRole('heading', { name }).first().waitFor();
const shown = (name: string | RegExp) =>
  visit.page.getByRole('button', { name, exact: true }).locator('visible=true');

/** Opens the panel as a user with a role at Lincoln, and records every reply of the API. */
async function openPanel(look: Look, by: { token: string }) {
  const answers: string[] = [];
  visit = await open(district, {
    look,
    as: by,
    before: async (page) => {
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.startsWith('/api/')) {
          answers.push(`${response.status()} ${response.request().method()} ${pathname}`);
        }
      });
    },
  });
  await toAdminPanel(visit);
  return answers;
}

/** Returns the names of everything on the page that can be pressed. */
async function pressable(): Promise<string[]> {
  return visit.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], [role="menuitem"], [role="tab"], input')]
      .filter((one) => one.checkVisibility() && one.closest('[inert], [aria-hidden="true"]') === null)
      .filter(
        (one) => !(one instanceof HTMLInputElement) || ['checkbox', 'file', 'submit'].includes(one.type),
      )
      .map((one) =>
        (one.ariaLabel ?? (one.innerText || one.querySelector('img')?.alt || ''))
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
  );
}

type Does = (capability: 'change' | 'manage' | 'read requests') => boolean;

/** Opens every screen, side panel and dialog that a role can see, and calls `look` at each. */
async function walk(does: Does, look: (state: string) => Promise<void>): Promise<void> {
  const { page, press } = visit;
  // A history may be open on top of a record.
  const closed = async () => {
    const pressEscape = async () => {
      await page.keyboard.press('Escape');
      return dialog().or(question()).count();
    };
    await expect.poll(pressEscape, { interval: 300 }).toBe(0);
  };
  const opened = async (state: string, what: Parameters<typeof press>[0]) => {
    await press(what.first());
    await dialog().or(question()).first().waitFor();
    await look(state);
    await closed();
  };
  /** Opens the panel of a row, and then its history. */
  const record = async (name: string, list: string) => {
    await row(name).first().waitFor();
    await look(list);
    await press(row(name).first().getByRole('button').first());
    await dialog().waitFor();
    await look(`${list}: ${name}`);
    await press(dialog().getByRole('button', { name: words.web.history }));
    await heading(/^History of/);
    await page.getByText(words.audit.noHistory).or(dialog().getByRole('listitem')).first().waitFor();
    await look(`${list}: history`);
    await closed();
  };

  await record('Lindholm', 'users');
  if (does('read requests')) {
    await press(shown(/^Requests/));
    await page.getByText('Ines Waiting').waitFor();
    await look('requests');
    if (does('manage')) await opened('decline a request', shown(/^Decline/));
    await press(shown(/^Invitations/));
    await page.getByText('invited@maplegrove.example').waitFor();
    await look('invitations');
  }
  if (does('manage')) {
    await opened('withdraw an invitation', shown(/^Withdraw/));
    await press(shown(words.web.importUsers));
    await heading(words.people.title);
    await look('import');
  }
  await press(tab(words.schools.title));
  await record('Lincoln Elementary', 'schools');
  await press(tab(words.categories.title));
  await record('Events', 'categories');
  if (does('manage')) await opened('add a category', shown(words.categories.add));
  await press(tab(words.activities.title));
  await record('Book fair', 'activities');
  if (does('change')) {
    await opened('add an activity', shown(words.activities.add));
    await press(page.getByRole('checkbox', { name: 'Select Book fair' }));
    await look('activities ticked');
  }
  await press(tab(words.suggestions.title));
  await heading('Chess evening');
  await look('suggestions');
  if (does('change')) {
    await opened('approve a suggestion', shown(/^Approve/));
    await opened('reject a suggestion', shown(/^Reject/));
    await opened('delete a suggestion', shown(/^Delete/));
  }
  await press(tab(words['time-entries'].title));
  await row('Lindholm').first().waitFor();
  await look('time entries');
  if (await shown(words.web.filters).isVisible()) await press(shown(words.web.filters));
  await opened('choose a volunteer', shown(/^User: /));
  await opened('history of an entry', shown(/^History of/));
  if (does('change')) {
    await opened('log for a volunteer', shown(words['time-entries'].logFor));
    await opened('edit an entry', row('Lindholm').first().getByRole('button'));
    await opened('delete an entry', shown(/^Delete/));
  }
  await press(tab('Photos'));
  await shown(/^Book fair/).waitFor();
  await look('photos');
  await press(shown(/^To review/));
  await heading(words.photos.reviewTitle);
  await look('photos to review');
  if (does('manage')) {
    await press(shown(words.photos.trashPart));
    await page.getByText(words.photos.trashEmpty).waitFor();
    await look('trash');
  }
  await press(shown(words.photos.byActivity));
  await press(shown(/^Book fair/));
  await page.locator('[data-photo]').first().waitFor();
  await look('photos of an activity');
  await press(page.locator('[data-photo]').first());
  await page.getByRole('dialog', { name: words.photos.viewer }).waitFor();
  await look('a photo');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: words.photos.viewer }).waitFor({ state: 'hidden' });
  await press(shown(words.web.schoolLog));
  await heading('Audit log');
  await page.getByRole('listitem').filter({ hasText: 'Lindholm' }).first().waitFor();
  await look('log');
  await press(tab(words.analytics.title));
  await heading(words.analytics.inKind);
  await page.getByText('$69.58').first().waitFor();
  await look('analytics');
  await press(shown(/^Show (the )?entries of Book fair/).first());
  await row('Lindholm').first().waitFor();
  await look('entries behind a figure');
}

const ROLES: readonly [GrantRole, string, Does][] = [
  ['school-admin', 'School administrator', () => true],
  ['coordinator', 'Coordinator', (what) => what === 'change'],
  ['auditor', 'Auditor', (what) => what === 'read requests'],
];

describe.each(LOOKS)('on a $device in $scheme', (look) => {
  test.each(ROLES)(
    'a %s sees only their school, and no screen sends a forbidden request',
    async (role, title, does) => {
      const holder = await aPersonWithRole(district, role, lincoln, {
        firstName: 'Olga',
        lastName: 'Helder',
      });
      const answers = await openPanel(look, holder);
      await visit.page.getByText(`${title} at Lincoln Elementary`).waitFor();
      const problems: string[] = [];
      const names = new Set<string>();
      await walk(does, async (state) => {
        await visit.page.waitForLoadState('networkidle');
        await expectAccessible(visit.page);
        if ((await visit.page.content()).includes(ELSEWHERE))
          problems.push(`${state} names the other school`);
        for (const name of await pressable()) names.add(name);
      });
      expect(problems).toEqual([]);
      expect(answers.filter((answer) => /^(403|404)/.test(answer))).toEqual([]);
      expect(answers.length).toBeGreaterThan(20);
      if (role === 'auditor') {
        expect([...names].filter((name) => !READS.some((read) => read.test(name)))).toEqual([]);
      }
    },
  );
});
