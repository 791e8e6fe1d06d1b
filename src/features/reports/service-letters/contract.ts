import * as z from 'zod/mini';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('service-letters');

/** The languages of the letter itself. */
export const LETTER_LANGUAGES = ['en', 'es'] as const;
export type LetterLanguage = (typeof LETTER_LANGUAGES)[number];

/** The formats of a batch of letters: one PDF, or a ZIP with a file per person. */
export const LETTER_FORMS = ['pdf', 'zip'] as const;

/** Limits: people per batch, minutes until a link expires, and characters of a typed code and last name. */
export const LETTERS = { people: 200, linkMinutes: 5, code: 60, lastName: 120 } as const;

/** Messages about service letters. */
export const messages = {
  period: say('periodRequired'),
  endBeforeStart: say('endBeforeStart'),
  future: say('future'),
  noHours: say('noHours'),
  noHoursOfAnybody: say('noHoursOfAnybody'),
  otherName: say('otherName'),
  unprintable: (name: string) => say('unprintable', { name }),
  notFound: say('letterNotFound'),
  fileNotFound: say('fileNotFound'),
  linkGone: say('linkGone'),
  withdrawn: say('withdrawn'),
  mayNotWithdraw: say('mayNotWithdraw'),
  peopleRequired: say('peopleRequired'),
  tooManyPeople: say('tooManyPeople', { max: LETTERS.people }),
  running: say('running'),
  busy: say('busy'),
  cancelled: say('cancelled'),
  wrong: say('wrongCodeOrName'),
  codeRequired: say('codeRequired'),
  lastNameRequired: say('lastNameRequired'),
  failedToLoad: say('failedToLoad'),
} as const;

/** An issued letter. The PDF itself is not stored. `school` is null for all schools. */
export const Letter = z.object({
  id: Id,
  code: z.string(),
  school: z.nullable(z.string()),
  startDate: CalendarDate,
  endDate: CalendarDate,
  withDates: z.boolean(),
  language: z.enum(LETTER_LANGUAGES),
  hours: z.number(),
  isVerifiedOnly: z.boolean(),
  issuedOn: CalendarDate,
  withdrawnAt: z.nullable(Instant),
  /** The hours on record now, and whether they differ from the letter. Null once it was withdrawn. */
  hoursNow: z.nullable(z.number()),
  hasChanged: z.boolean(),
  /** Whether the account's name differs from the letter's. False once it was withdrawn. */
  isRenamed: z.boolean(),
});
export type Letter = z.infer<typeof Letter>;

const day = z.pipe(z.string(messages.period), CalendarDate);

const period = {
  schoolId: z.nullable(idOr(commonMessages.required)),
  startDate: day,
  endDate: day,
  withDates: z.boolean(commonMessages.required),
  language: z.enum(LETTER_LANGUAGES, commonMessages.required),
};

const inOrder = z.refine<{ startDate: CalendarDate; endDate: CalendarDate }>(
  ({ startDate, endDate }) => startDate <= endDate,
  { error: messages.endBeforeStart, path: ['endDate'] },
);

/**
 * The input for a letter about a person's hours in a period, at one school. With null, the viewer's own letter counts every
 * school, and a letter about another person the schools where the viewer sees people.
 */
export const LetterInput = z.object({ ...period, userId: z.nullish(Id) }).check(inOrder);
export type LetterInput = z.infer<typeof LetterInput>;

/**
 * Issues a letter about the viewer, or with `userId` about a person in the viewer's scope. `url` is the address of its PDF,
 * which works once, without a token, within `LETTERS.linkMinutes`. 400 for a period that ends after today. 409 without any
 * hours. Also 409 for the viewer's own letter while one about the same days and school is valid under another name.
 */
export const issueLetter = endpoint('POST', '/reports/letters', {
  body: LetterInput,
  reply: z.object({ letter: Letter, url: z.string() }),
  status: 201,
});

/** Lists the letters about the viewer, or with `userId` about a person in the viewer's scope, latest first. */
export const listLetters = endpoint('GET', '/reports/letters', {
  query: z.object({ userId: z.optional(IdText), ...pageQuery }),
  reply: z.object({ letters: z.array(Letter), ...pageReply }),
});

const byId = z.object({ id: IdText });

/** Withdraws a letter. Checking the letter then shows that it was withdrawn. Repeating the request changes nothing. */
export const withdrawLetter = endpoint('POST', '/reports/letters/:id/withdraw', {
  params: byId,
  reply: z.object({ letter: Letter, message: z.string() }),
});

/** The input for letters of many people in one file. People without hours in the period get none. */
export const LettersInput = z
  .object({
    ...period,
    userIds: z
      .array(Id, messages.peopleRequired)
      .check(z.minLength(1, messages.peopleRequired), z.maxLength(LETTERS.people, messages.tooManyPeople)),
    form: z.enum(LETTER_FORMS, commonMessages.required),
  })
  .check(inOrder);
export type LettersInput = z.infer<typeof LettersInput>;

/** The progress of a batch file: `letters` of `total` are done. `ready` means that its link has not been opened yet. */
export const LetterFile = z.object({
  id: Id,
  form: z.enum(LETTER_FORMS),
  status: z.enum(['ready', 'running', 'done', 'failed', 'cancelled', 'expired']),
  letters: z.int(),
  total: z.int(),
});
export type LetterFile = z.infer<typeof LetterFile>;

/**
 * Issues a letter about each of these people who has hours; `without` counts the others. `url` is the address of the file,
 * which works once and without a token. 429 while another batch of the viewer, or too many exports, are running.
 */
export const issueLetters = endpoint('POST', '/reports/letter-files', {
  body: LettersInput,
  reply: z.object({ file: LetterFile, url: z.string(), without: z.int() }),
  status: 201,
});

/** Returns the progress of the viewer's own file. */
export const readLetterFile = endpoint('GET', '/reports/letter-files/:id', {
  params: byId,
  reply: z.object({ file: LetterFile }),
});

/** Stops the viewer's own file. Its letters are withdrawn unless it was complete. */
export const cancelLetterFile = endpoint('DELETE', '/reports/letter-files/:id', {
  params: byId,
  reply: z.object({ file: LetterFile, message: z.string() }),
});

/** The PDF of a letter, or a batch file (PDF or ZIP), at the address from `url`. */
export const downloadLetters = endpoint('GET', '/letters/files/:token', {
  params: z.object({ token: z.string() }),
  file: true,
});

/** The result of checking a letter by its code and the last name in it. */
export const CheckedLetter = z.object({
  status: z.enum(['valid', 'changed', 'renamed', 'withdrawn']),
  /** The name in the letter; null once the account was deleted. */
  person: z.nullable(z.string()),
  /** Null for all schools. */
  school: z.nullable(z.string()),
  district: z.string(),
  startDate: CalendarDate,
  endDate: CalendarDate,
  hours: z.number(),
  /** The hours on record now; null once the letter was withdrawn. */
  hoursNow: z.nullable(z.number()),
  isVerifiedOnly: z.boolean(),
  issuedOn: CalendarDate,
});
export type CheckedLetter = z.infer<typeof CheckedLetter>;

/** Checks a letter. A wrong code and a wrong name return the same 404. Guessing is limited per code and per address. */
export const checkLetter = endpoint('POST', '/letters/check', {
  body: z.object({
    code: requiredText(LETTERS.code, messages.codeRequired),
    lastName: requiredText(LETTERS.lastName, messages.lastNameRequired),
  }),
  reply: CheckedLetter,
});
