import * as z from 'zod/mini';
import {
  messages as accountMessages,
  LISTED_ROLES,
  SIGN_IN_CHOICES,
  STATES,
} from '#features/users/admin-contract.ts';
import { Instant } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, idOr } from '#shared/id.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('announcements');

/**
 * Limits: characters of subject and text, announcements per sender and day, selected users, recipients, how many announcements
 * a sender sees listed, and for how many days finished ones are stored.
 */
export const ANNOUNCEMENT_LIMITS = {
  subject: 120,
  text: 5_000,
  perDay: 10,
  selected: 500,
  recipients: 50_000,
  listed: 5,
  retentionDays: 30,
} as const;

/** Messages for senders of announcements. */
export const messages = {
  subjectRequired: say('subjectRequired'),
  textRequired: say('textRequired'),
  broken: say('broken'),
  nobody: say('nobody'),
  tooManyPeople: say('tooManyPeople', { max: ANNOUNCEMENT_LIMITS.recipients }),
  otherCount: say('otherCount'),
  noMailServer: say('noMailServer'),
  enoughToday: say('enoughToday', { max: ANNOUNCEMENT_LIMITS.perDay }),
  sent: (count: number) => say('sent', { count }),
} as const;

const selectedIds = z
  .array(idOr(accountMessages.chooseUsers), accountMessages.chooseUsers)
  .check(
    z.minLength(1, accountMessages.chooseUsers),
    z.maxLength(ANNOUNCEMENT_LIMITS.selected, accountMessages.tooManyUsers),
  );

/** The filters of the user list. */
const UserFilters = z.object({
  schoolId: z.nullish(Id),
  role: z.nullish(z.enum(LISTED_ROLES)),
  state: z.nullish(z.enum(STATES)),
  lastSignIn: z.nullish(z.enum(SIGN_IN_CHOICES)),
  photos: z.nullish(z.enum(['hidden'])),
  search: z.nullish(z.string().check(z.maxLength(100, commonMessages.search))),
});

/** The recipients: either the selected people, or all who match the filters. */
const recipients = { userIds: z.nullish(selectedIds), matching: z.nullish(UserFilters) };

// U+FFFD stands for half of a surrogate pair, which cannot be sent.
const wellFormedText = (max: number, missing: Parameters<typeof requiredText>[1]) =>
  requiredText(max, missing).check(z.refine((given) => !given.includes('\uFFFD'), messages.broken));

/** Subject and text. The subject is one line. */
export const AnnouncementText = z.object({
  subject: z.pipe(
    wellFormedText(ANNOUNCEMENT_LIMITS.subject, messages.subjectRequired),
    z.transform((subject: string) => subject.replace(/\s+/g, ' ')),
  ),
  text: wellFormedText(ANNOUNCEMENT_LIMITS.text, messages.textRequired),
});

/**
 * The number of people who do not get the announcement, by reason: guest volunteers, deactivated accounts, unconfirmed
 * addresses, and people who opted out.
 */
const Excluded = z.object({ walkIns: z.int(), inactive: z.int(), unconfirmed: z.int(), stopped: z.int() });

/**
 * Returns which people would get an announcement, which would not, and the lines around its text. `sendsMail` is false without
 * a mail server; `leftToday` is how many more announcements the viewer may send today.
 */
export const previewAnnouncement = endpoint('POST', '/admin/mailings/preview', {
  body: z.object(recipients),
  reply: z.object({
    sendsMail: z.boolean(),
    total: z.int(),
    receivers: z.int(),
    left: Excluded,
    leftToday: z.int(),
    opening: z.string(),
    closing: z.array(z.string()),
  }),
  isRepeatable: true,
});

/** `posted` of `total` emails are queued so far. */
const Announcement = z.object({
  id: Id,
  subject: z.string(),
  total: z.int(),
  posted: z.int(),
  createdAt: Instant,
  isFinished: z.boolean(),
});

/**
 * Sends an announcement. `receivers` is the number of recipients the viewer saw; returns 409 with the new number if it
 * changed. Each recipient is checked again before sending, and a sender who lost the role stops the rest.
 */
export const sendAnnouncement = endpoint('POST', '/admin/mailings', {
  body: z.object({ ...recipients, ...AnnouncementText.shape, receivers: z.int() }),
  reply: z.object({ mailing: Announcement, message: z.string() }),
  status: 201,
  freshProof: 'always',
});

/** Lists the viewer's recent announcements, newest first. */
export const listAnnouncements = endpoint('GET', '/admin/mailings', {
  reply: z.object({ mailings: z.array(Announcement) }),
});
