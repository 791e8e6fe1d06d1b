import { describe, expect, test } from 'vitest';
import '#app/web/staff-messages.ts';
import { day, type Instant } from '#shared/calendar-date.ts';
import { say, t } from '#web/i18n/translate.ts';
import { ACTIONS, type Action, type ListedAuditEvent } from '../contract.ts';
import { describeEvent, describeFieldChange, fieldLabel, isShownInDescription } from './event-description.ts';

const text = { t, say, language: 'en' };

const maria = { id: 7, name: 'Maria Lopez' };
const ada = { id: 1, name: 'Ada Adams' };

function anEvent(given: Partial<ListedAuditEvent>): ListedAuditEvent {
  return {
    id: 1,
    at: '2026-03-04T18:00:00.000Z' as Instant,
    action: 'entry.edit',
    actor: maria,
    thing: { kind: 'time-entry', id: 5, name: 'Library Helper', day: day('2026-03-01') },
    person: null,
    school: { id: 3, name: 'Lincoln Elementary' },
    changes: [],
    address: '10.0.0.1',
    isSystem: false,
    ...given,
  };
}

/** Every decision about an entry's hours, in a plausible order. */
function allDecisions(): [string, Partial<ListedAuditEvent>][] {
  const by = { field: 'by', before: null, after: 'coach@club.example' };
  const isNow = (verification: string, countedHours: number) => [
    { field: 'verification', before: 'waiting', after: verification },
    { field: 'countedHours', before: 0, after: countedHours },
  ];
  const thing = "Maria Lopez's entry for Library Helper on Mar 1, 2026";
  const outside = { actor: null, person: maria };
  const byAda = { actor: ada, person: maria };
  return [
    [
      `coach@club.example was emailed to confirm ${thing}`,
      { action: 'entry.ask-outside', ...outside, isSystem: true, changes: [by] },
    ],
    [
      `coach@club.example confirmed ${thing} by email: 1.5 h count`,
      {
        action: 'entry.verify-outside',
        ...outside,
        changes: [by, { field: 'hours', before: null, after: 1.5 }],
      },
    ],
    [
      `coach@club.example declined ${thing} by email: “Never seen”`,
      {
        action: 'entry.decline-outside',
        ...outside,
        changes: [
          by,
          { field: 'hours', before: null, after: 0 },
          { field: 'reason', before: null, after: 'Never seen' },
        ],
      },
    ],
    [
      `Ada Adams verified ${thing}: 2.75 h count`,
      { action: 'entry.verify', ...byAda, changes: isNow('verified', 2.75) },
    ],
    [
      'Maria Lopez asked to reopen the entry for Library Helper on Mar 1, 2026: “It was three”',
      {
        action: 'entry.ask-reopening',
        changes: [{ field: 'reopenNote', before: null, after: 'It was three' }],
      },
    ],
    [
      'Maria Lopez named coach@club.example as the supervisor for the entry for Library Helper on Mar 1, 2026',
      { action: 'entry.name-supervisor', changes: [{ ...by, before: 'coach@clubb.example' }] },
    ],
    [
      `Ada Adams reopened ${thing}, which is waiting again`,
      { action: 'entry.reopen', ...byAda, changes: isNow('waiting', 0) },
    ],
    [
      `Ada Adams declined ${thing}: “Not on the sheet”`,
      {
        action: 'entry.decline',
        ...byAda,
        changes: [
          ...isNow('declined', 0),
          { field: 'decisionNote', before: null, after: 'Not on the sheet' },
        ],
      },
    ],
    [
      `Ada Adams undid a decision about ${thing}. Status: waiting`,
      { action: 'entry.undo-decision', ...byAda, changes: isNow('waiting', 0) },
    ],
  ];
}

test.each(allDecisions())('a decision is not repeated below its sentence: %s', (_sentence, given) => {
  expect(isShownInDescription(anEvent(given), text)).toBe(true);
});

describe('describeEvent', () => {
  const account = { kind: 'user', id: 7, name: 'Maria Lopez', day: null };
  test.each<[string, Partial<ListedAuditEvent>]>([
    [
      'Maria Lopez changed the hours of the entry for Library Helper on Mar 1, 2026 from 2 to 3',
      { changes: [{ field: 'hours', before: 2, after: 3 }] },
    ],
    [
      "Ada Adams changed the date of Maria Lopez's entry for Library Helper on Mar 1, 2026 from Feb 2, 2026 to Mar 1, 2026",
      {
        actor: ada,
        person: maria,
        changes: [{ field: 'entryDate', before: '2026-02-02', after: '2026-03-01' }],
      },
    ],
    [
      'Ada Adams made Maria Lopez coordinator of Lincoln Elementary',
      {
        action: 'account.change',
        actor: ada,
        thing: account,
        changes: [{ field: 'coordinatorOf', before: null, after: ['Lincoln Elementary'] }],
      },
    ],
    [
      'Ada Adams made Maria Lopez auditor of all schools',
      {
        action: 'account.change',
        actor: ada,
        thing: account,
        changes: [{ field: 'auditorOfAll', before: null, after: true }],
      },
    ],
    [
      'Ada Adams removed a role from Maria Lopez: school administrator of Lincoln Elementary',
      {
        action: 'account.change',
        actor: ada,
        thing: account,
        changes: [{ field: 'schoolAdminOf', before: ['Lincoln Elementary'], after: null }],
      },
    ],
    [
      'Maria Lopez changed the notes of the entry for Library Helper on Mar 1, 2026',
      { changes: [{ field: 'notes', before: 'x'.repeat(40), after: 'y'.repeat(40) }] },
    ],
    [
      'Maria Lopez changed the entry for Library Helper on Mar 1, 2026',
      {
        changes: [
          { field: 'hours', before: 2, after: 3 },
          { field: 'notes', before: null, after: 'Late' },
        ],
      },
    ],
    [
      'Maria Lopez logged 1.5 h for Library Helper on Mar 1, 2026',
      { action: 'entry.log', changes: [{ field: 'hours', before: null, after: 1.5 }] },
    ],
    [
      'Ada Adams logged 1.5 h for Library Helper on Mar 1, 2026, for Maria Lopez',
      {
        action: 'entry.log',
        actor: ada,
        person: maria,
        changes: [{ field: 'hours', before: null, after: 1.5 }],
      },
    ],
    ...allDecisions(),
    [
      'Ada Adams changed the status of the account of Maria Lopez from active to inactive',
      {
        action: 'account.change',
        actor: ada,
        thing: account,
        changes: [{ field: 'isActive', before: true, after: false }],
      },
    ],
    [
      'Maria Lopez changed the first name of their own account from “Mary” to “Maria”',
      {
        action: 'account.edit',
        thing: account,
        changes: [{ field: 'firstName', before: 'Mary', after: 'Maria' }],
      },
    ],
    [
      'Ada Adams changed the password of the account of Maria Lopez',
      {
        action: 'account.change',
        actor: ada,
        thing: account,
        changes: [{ field: 'password', before: null, after: 'changed' }],
      },
    ],
    [
      'A sign-in to the account of Maria Lopez failed',
      { action: 'session.fail', actor: null, thing: account },
    ],
    [
      'A sign-in with an unknown address failed',
      { action: 'session.fail', actor: null, thing: { kind: 'user', id: null, name: null, day: null } },
    ],
    ['Maria Lopez signed in', { action: 'session.start', thing: account }],
    ['Maria Lopez was blocked', { action: 'access.refuse', thing: account }],
    [
      "Maria Lopez asked for something that doesn't exist or isn't theirs",
      { action: 'access.miss', thing: account },
    ],
    ['Maria Lopez tried to change something without permission', { action: 'access.claim', thing: account }],
    [
      'Someone not signed in tried to change something without permission',
      {
        action: 'access.claim',
        actor: null,
        thing: { kind: 'user', id: null, name: null, day: null },
      },
    ],
    [
      // Its network address was forgotten after 90 days.
      'Someone not signed in asked to take down a photo of Library Helper',
      {
        action: 'photo.takedown',
        actor: null,
        address: null,
        thing: { kind: 'photo', id: 5, name: 'Library Helper', day: null },
      },
    ],
    [
      'Ada Adams approved Maria Lopez for Lincoln Elementary',
      { action: 'membership.approve', actor: ada, thing: account },
    ],
    [
      'A deleted account deleted the school Oak Street',
      {
        action: 'school.delete',
        actor: { id: 9, name: null },
        thing: { kind: 'school', id: 2, name: 'Oak Street', day: null },
      },
    ],
    [
      'Ada Adams invited new@example.org',
      {
        action: 'invite.create',
        actor: ada,
        thing: { kind: 'invite', id: 2, name: 'new@example.org', day: null },
      },
    ],
    [
      'Ada Adams withdrew an invitation',
      { action: 'invite.revoke', actor: ada, thing: { kind: 'invite', id: 2, name: null, day: null } },
    ],
    [
      'Former volunteer restored a time entry',
      {
        action: 'entry.restore',
        actor: { id: 7, name: 'Former volunteer' },
        thing: { kind: 'time-entry', id: 5, name: null, day: null },
      },
    ],
  ])('returns "%s"', (sentence, given) => {
    expect(describeEvent(anEvent(given), text)).toBe(sentence);
  });

  test.each(Object.keys(ACTIONS) as Action[])('returns a sentence without placeholders for %s', (action) => {
    const kind = ACTIONS[action].thing;
    const sentence = describeEvent(anEvent({ action, thing: { ...anEvent({}).thing, kind } }), text);
    expect(sentence).toMatch(/ /);
    expect(sentence).not.toMatch(/[{}]|undefined|null|\w\.\w/);
  });

  test('returns a general sentence for an unknown action', () => {
    const sentence = describeEvent(
      anEvent({ action: 'robot.dance', thing: { kind: 'robot', id: 1, name: null, day: null } }),
      text,
    );
    expect(sentence).toBe('Maria Lopez changed something else');
  });
});

describe('event changes', () => {
  test('are listed below the sentence unless the sentence contains them', () => {
    const one = anEvent({ changes: [{ field: 'hours', before: 2, after: 3 }] });
    const two = anEvent({ changes: [...one.changes, { field: 'role', before: 'user', after: 'admin' }] });
    expect([isShownInDescription(one, text), isShownInDescription(two, text)]).toEqual([true, false]);
  });

  test.each([
    [{ field: 'role', before: 'user', after: 'admin' }, 'role', 'from User to Administrator'],
    [{ field: 'schools', before: [], after: ['Oak', 'Elm'] }, 'schools', 'from nothing to Oak, Elm'],
    [
      { field: 'requiresDescription', before: false, after: true },
      'description requirement',
      'from no to yes',
    ],
    [{ field: 'kind', before: null, after: 'event' }, 'kind', 'Event'],
    [{ field: 'hours', before: 2.5, after: null }, 'hours', 'was 2.5'],
    [{ field: 'language', before: null, after: 'es' }, 'language', 'Español'],
    [{ field: 'languages', before: 'en', after: 'en, es' }, 'languages', 'from English to English, Español'],
    [{ field: 'logoUrl', before: '/a', after: '/b' }, 'logo', 'changed'],
    [{ field: 'cameFromTheMoon', before: 1, after: 2 }, 'came from the moon', 'from 1 to 2'],
  ])('are described in words: %j', (change, field, words) => {
    expect([fieldLabel(change.field, text), describeFieldChange(change, text)]).toEqual([field, words]);
  });
});
