import * as z from 'zod/mini';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { pageQuery, pageReply, searchQuery } from '#shared/list-query.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('audit');

/** Messages of the audit log. */
export const messages = { failedToLoad: say('failedToLoad'), endBeforeStart: say('endBeforeStart') } as const;

/** The possible subjects of an audit event. */
export const AUDIT_SUBJECTS = [
  'time-entry',
  'user',
  'invite',
  'school',
  'category',
  'activity',
  'suggestion',
  'user-import',
  'time-entry-import',
  'export',
  'photo',
  'setting',
  'drive',
  'system',
  'legal-hold',
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** The kinds of actions. */
export const ACTION_KINDS = [
  'create',
  'change',
  'delete',
  'restore',
  'decide',
  'sign-in',
  'fail',
  'export',
] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/**
 * Every audited action with its kind and its subject. An action is described by its own message in `messages.en.json`
 * ('session.fail': `sessionFail`), or else by the message of its kind.
 */
export const ACTIONS = {
  'entry.log': { thing: 'time-entry', kind: 'create' },
  'entry.edit': { thing: 'time-entry', kind: 'change' },
  'entry.delete': { thing: 'time-entry', kind: 'delete' },
  'entry.restore': { thing: 'time-entry', kind: 'restore' },
  'entry.ask-outside': { thing: 'time-entry', kind: 'change' },
  'entry.ask-reopening': { thing: 'time-entry', kind: 'change' },
  'entry.name-supervisor': { thing: 'time-entry', kind: 'change' },
  'entry.verify': { thing: 'time-entry', kind: 'decide' },
  'entry.decline': { thing: 'time-entry', kind: 'decide' },
  'entry.reopen': { thing: 'time-entry', kind: 'decide' },
  'entry.undo-decision': { thing: 'time-entry', kind: 'decide' },
  'entry.export': { thing: 'export', kind: 'export' },
  'list.export': { thing: 'export', kind: 'export' },
  'entry.download': { thing: 'export', kind: 'export' },
  'entry.verify-outside': { thing: 'time-entry', kind: 'decide' },
  'entry.decline-outside': { thing: 'time-entry', kind: 'decide' },
  'outside.stop': { thing: 'school', kind: 'change' },
  'account.register': { thing: 'user', kind: 'create' },
  'account.create': { thing: 'user', kind: 'create' },
  'account.link': { thing: 'user', kind: 'change' },
  'account.first-administrator': { thing: 'user', kind: 'create' },
  'account.edit': { thing: 'user', kind: 'change' },
  'account.change': { thing: 'user', kind: 'change' },
  'account.confirm-address': { thing: 'user', kind: 'change' },
  'account.delete': { thing: 'user', kind: 'delete' },
  'account.erase': { thing: 'user', kind: 'delete' },
  'account.merge': { thing: 'user', kind: 'change' },
  'account.merge-away': { thing: 'user', kind: 'delete' },
  'account.apart': { thing: 'user', kind: 'change' },
  'account.alike': { thing: 'user', kind: 'change' },
  'account.part': { thing: 'user', kind: 'change' },
  'account.part-away': { thing: 'user', kind: 'restore' },
  'account.download': { thing: 'user', kind: 'export' },
  'erasure.ask': { thing: 'user', kind: 'change' },
  'erasure.withdraw': { thing: 'user', kind: 'change' },
  'erasure.decline': { thing: 'user', kind: 'decide' },
  'people.write': { thing: 'user', kind: 'export' },
  'membership.add': { thing: 'user', kind: 'change' },
  'membership.remove': { thing: 'user', kind: 'change' },
  'membership.approve': { thing: 'user', kind: 'decide' },
  'membership.decline': { thing: 'user', kind: 'decide' },
  'session.start': { thing: 'user', kind: 'sign-in' },
  'session.provider': { thing: 'user', kind: 'sign-in' },
  'provider.link': { thing: 'user', kind: 'change' },
  'provider.unlink': { thing: 'user', kind: 'change' },
  'second-proof.add': { thing: 'user', kind: 'change' },
  'second-proof.remove': { thing: 'user', kind: 'change' },
  'second-proof.codes': { thing: 'user', kind: 'change' },
  'second-proof.reset': { thing: 'user', kind: 'change' },
  'second-proof.settings': { thing: 'setting', kind: 'change' },
  'second-proof.fail': { thing: 'user', kind: 'fail' },
  'session.fail': { thing: 'user', kind: 'fail' },
  'session.end': { thing: 'user', kind: 'sign-in' },
  'session.mailed-link': { thing: 'user', kind: 'sign-in' },
  'session.ask-link': { thing: 'user', kind: 'sign-in' },
  'session.end-provider': { thing: 'user', kind: 'sign-in' },
  'session.end-others': { thing: 'user', kind: 'sign-in' },
  'session.prove': { thing: 'user', kind: 'sign-in' },
  'session.passkey': { thing: 'user', kind: 'sign-in' },
  'passkey.add': { thing: 'user', kind: 'change' },
  'passkey.remove': { thing: 'user', kind: 'change' },
  'passkey.cloned': { thing: 'user', kind: 'fail' },
  'session.end-one': { thing: 'user', kind: 'sign-in' },
  'access.refuse': { thing: 'user', kind: 'fail' },
  'access.miss': { thing: 'user', kind: 'fail' },
  'access.claim': { thing: 'user', kind: 'fail' },
  'password.fail': { thing: 'user', kind: 'fail' },
  'password.forget': { thing: 'user', kind: 'sign-in' },
  'password.change': { thing: 'user', kind: 'change' },
  'password.reset': { thing: 'user', kind: 'change' },
  'invite.create': { thing: 'invite', kind: 'create' },
  'invite.resend': { thing: 'invite', kind: 'change' },
  'invite.revoke': { thing: 'invite', kind: 'delete' },
  'users.import': { thing: 'user-import', kind: 'create' },
  'users.import-undo': { thing: 'user-import', kind: 'delete' },
  'hours.import': { thing: 'time-entry-import', kind: 'create' },
  'hours.import-undo': { thing: 'time-entry-import', kind: 'delete' },
  'school.create': { thing: 'school', kind: 'create' },
  'school.edit': { thing: 'school', kind: 'change' },
  'school.logo': { thing: 'school', kind: 'change' },
  'school.logo-remove': { thing: 'school', kind: 'change' },
  'school.delete': { thing: 'school', kind: 'delete' },
  'category.create': { thing: 'category', kind: 'create' },
  'category.edit': { thing: 'category', kind: 'change' },
  'category.delete': { thing: 'category', kind: 'delete' },
  'activities.add': { thing: 'school', kind: 'change' },
  'activities.undo': { thing: 'school', kind: 'change' },
  'activity.create': { thing: 'activity', kind: 'create' },
  'activity.edit': { thing: 'activity', kind: 'change' },
  'activity.log-code': { thing: 'activity', kind: 'change' },
  'activity.sign-in-sheet': { thing: 'activity', kind: 'export' },
  'activity.delete': { thing: 'activity', kind: 'delete' },
  'photo.upload': { thing: 'photo', kind: 'create' },
  'photo.caption': { thing: 'photo', kind: 'change' },
  'photo.delete': { thing: 'photo', kind: 'delete' },
  'photo.restore': { thing: 'photo', kind: 'restore' },
  'photo.approve': { thing: 'photo', kind: 'decide' },
  'photo.takedown': { thing: 'photo', kind: 'change' },
  'photo.settings': { thing: 'setting', kind: 'change' },
  'drive.connect': { thing: 'drive', kind: 'create' },
  'drive.disconnect': { thing: 'drive', kind: 'delete' },
  'drive.settings': { thing: 'drive', kind: 'change' },
  'drive.sync': { thing: 'drive', kind: 'export' },
  'drive.sync-cancel': { thing: 'drive', kind: 'change' },
  'system.mail-retry': { thing: 'system', kind: 'change' },
  'system.mail-drop': { thing: 'system', kind: 'delete' },
  'system.mail-test': { thing: 'system', kind: 'change' },
  'system.job-run': { thing: 'system', kind: 'change' },
  'system.clock-confirm': { thing: 'system', kind: 'change' },
  'system.key-rotate': { thing: 'system', kind: 'change' },
  'district.first-run': { thing: 'setting', kind: 'change' },
  'district.logo': { thing: 'setting', kind: 'change' },
  'district.logo-remove': { thing: 'setting', kind: 'change' },
  'district.settings': { thing: 'setting', kind: 'change' },
  'retention.settings': { thing: 'setting', kind: 'change' },
  'retention.shorten': { thing: 'setting', kind: 'change' },
  'retention.cancel': { thing: 'setting', kind: 'change' },
  'retention.delete': { thing: 'system', kind: 'delete' },
  'hold.place': { thing: 'legal-hold', kind: 'create' },
  'hold.lift': { thing: 'legal-hold', kind: 'change' },
  'letter.issue': { thing: 'user', kind: 'export' },
  'letter.withdraw': { thing: 'user', kind: 'change' },
  'letter.stop': { thing: 'export', kind: 'change' },
  'letter.download': { thing: 'export', kind: 'export' },
  'report.statement': { thing: 'export', kind: 'export' },
  'report.summary': { thing: 'export', kind: 'export' },
  'report.in-kind': { thing: 'export', kind: 'export' },
  'milestones.export': { thing: 'export', kind: 'export' },
  'milestones.settings': { thing: 'setting', kind: 'change' },
  'report.rate': { thing: 'setting', kind: 'change' },
  'suggestion.submit': { thing: 'suggestion', kind: 'create' },
  'suggestion.approve': { thing: 'suggestion', kind: 'decide' },
  'suggestion.reject': { thing: 'suggestion', kind: 'decide' },
  'suggestion.delete': { thing: 'suggestion', kind: 'delete' },
  'suggestion.remove': { thing: 'suggestion', kind: 'delete' },
} as const satisfies Readonly<Record<string, Readonly<{ thing: AuditSubject; kind: ActionKind }>>>;
export type Action = keyof typeof ACTIONS;

/** Actions without a message of their own, which the message of their kind describes. */
export const DESCRIBED_BY_KIND = [
  'entry.edit',
  'entry.delete',
  'entry.restore',
  'account.create',
  'account.edit',
  'account.change',
  'account.delete',
  'school.create',
  'school.edit',
  'school.logo',
  'school.delete',
  'category.create',
  'category.edit',
  'category.delete',
  'activity.create',
  'activity.edit',
  'activity.delete',
  'photo.upload',
  'photo.caption',
  'photo.delete',
  'photo.restore',
  'photo.settings',
  'drive.settings',
  'suggestion.delete',
  'suggestion.remove',
] as const satisfies readonly Action[];

/** Whether this version knows an action. */
export function isAction(action: string): action is Action {
  return Object.hasOwn(ACTIONS, action);
}

/** Returns the actions of a kind, a subject, or both. */
export function actionsForKind(wanted: {
  kind?: ActionKind | undefined;
  thing?: AuditSubject | undefined;
}): Action[] {
  return (Object.keys(ACTIONS) as Action[]).filter((action) => {
    const { kind, thing } = ACTIONS[action];
    return (wanted.kind ?? kind) === kind && (wanted.thing ?? thing) === thing;
  });
}

const Named = z.object({ id: Id, name: z.nullable(z.string()) });

/** A value for display, with names instead of ids. */
export const ChangedValue = z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));
export type ChangedValue = z.infer<typeof ChangedValue>;

/** A field before and after the change; null if it was empty. */
export const Change = z.object({ field: z.string(), before: ChangedValue, after: ChangedValue });
export type Change = z.infer<typeof Change>;

/**
 * An audit event: the actor, action, subject, time and source. `actor` is null for an anonymous visitor and for the system
 * (`isSystem`). The network `address` is stored for 90 days. Names are current, so the name of a deleted account never appears.
 * A deleted item has its last name, or null if that is unknown.
 */
export const ListedAuditEvent = z.object({
  id: Id,
  at: Instant,
  action: z.string(),
  actor: z.nullable(Named),
  thing: z.object({
    kind: z.string(),
    id: z.nullable(Id),
    name: z.nullable(z.string()),
    /** The day of a time entry; null for other items. */
    day: z.nullable(CalendarDate),
  }),
  /** The person whom the event concerns, such as the item's owner; null if that is the actor or there is none. */
  person: z.nullable(Named),
  school: z.nullable(Named),
  changes: z.array(Change),
  address: z.nullable(z.string()),
  isSystem: z.boolean(),
});
export type ListedAuditEvent = z.infer<typeof ListedAuditEvent>;

type Days = { startDate?: CalendarDate | undefined; endDate?: CalendarDate | undefined };
const isInOrder = ({ startDate, endDate }: Days) =>
  startDate === undefined || endDate === undefined || startDate <= endDate;

/**
 * The audit log, latest first. `userId` selects what a user did and what was done to them, `thing` with `thingId` the history
 * of one item. `search` finds users and items by name, and time entries by the name of their activity. Days are in the
 * district's time zone.
 */
export const listAudit = endpoint('GET', '/admin/audit', {
  query: z
    .object({
      userId: z.optional(IdText),
      kind: z.optional(z.enum(ACTION_KINDS)),
      thing: z.optional(z.enum(AUDIT_SUBJECTS)),
      thingId: z.optional(IdText),
      startDate: z.optional(CalendarDate),
      endDate: z.optional(CalendarDate),
      ...searchQuery,
      ...pageQuery,
    })
    .check(z.refine(isInOrder, { error: messages.endBeforeStart, path: ['endDate'] })),
  reply: z.object({ records: z.array(ListedAuditEvent), ...pageReply }),
});
