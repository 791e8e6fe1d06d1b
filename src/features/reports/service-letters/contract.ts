import * as z from 'zod/mini';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { baseMessages } from '#shared/common-messages.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('service-letters');

/** The languages of a letter's own texts. */
export const LETTER_LANGUAGES = ['en', 'es'] as const;
export type LetterLanguage = (typeof LETTER_LANGUAGES)[number];

/** The forms in which the letters of many people come: one after the other, or a file for each person. */
export const LETTER_FORMS = ['pdf', 'zip'] as const;

/** How many people's letters are made at once, for how many minutes a link can be used, and what is typed at most. */
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

/** A letter that was issued. The letter itself is not kept. `school` is null for all schools. */
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
  /** What the record holds now, and whether it is another than the letter says; null once it was withdrawn. */
  hoursNow: z.nullable(z.number()),
  hasChanged: z.boolean(),
  /** Whether the account has another name now than the letter; false once it was withdrawn. */
  isRenamed: z.boolean(),
});
export type Letter = z.infer<typeof Letter>;

const day = z.pipe(z.string(messages.period), CalendarDate);

const period = {
  schoolId: z.nullable(idOr(baseMessages.required)),
  startDate: day,
  endDate: day,
  withDates: z.boolean(baseMessages.required),
  language: z.enum(LETTER_LANGUAGES, baseMessages.required),
};

const inOrder = z.refine<{ startDate: CalendarDate; endDate: CalendarDate }>(
  ({ startDate, endDate }) => startDate <= endDate,
  { error: messages.endBeforeStart, path: ['endDate'] },
);

/** A letter about somebody's hours of a period, at one school or (null) at all that the viewer may see. */
export const LetterInput = z.object({ ...period, userId: z.nullish(Id) }).check(inOrder);
export type LetterInput = z.infer<typeof LetterInput>;

/**
 * Issues a letter: one's own, or with `userId` that of somebody whom the viewer sees. `url` gives its PDF, once and
 * without a token, within `LETTERS.linkMinutes`. 400 for a period that ends after today, 409 without any hours, and for a letter about
 * oneself while one about the same days and school is in force under another name.
 */
export const issueLetter = endpoint('POST', '/reports/letters', {
  body: LetterInput,
  reply: z.object({ letter: Letter, url: z.string() }),
  status: 201,
});

/** The letters about somebody, the latest first: one's own, or with `userId` of somebody whom the viewer sees. */
export const listLetters = endpoint('GET', '/reports/letters', {
  query: z.object({ userId: z.optional(IdText), ...pageQuery }),
  reply: z.object({ letters: z.array(Letter), ...pageReply }),
});

const byId = z.object({ id: IdText });

/** Withdraws a letter: whoever checks it is told so. A second time changes nothing. */
export const withdrawLetter = endpoint('POST', '/reports/letters/:id/withdraw', {
  params: byId,
  reply: z.object({ letter: Letter, message: z.string() }),
});

/** The letters of many people as one file; who has no hours in the period gets none. */
export const LettersInput = z
  .object({
    ...period,
    userIds: z
      .array(Id, messages.peopleRequired)
      .check(z.minLength(1, messages.peopleRequired), z.maxLength(LETTERS.people, messages.tooManyPeople)),
    form: z.enum(LETTER_FORMS, baseMessages.required),
  })
  .check(inOrder);
export type LettersInput = z.infer<typeof LettersInput>;

/** How far a file of letters has come: `letters` of `total`. In the state `ready` its link has not been opened yet. */
export const LetterFile = z.object({
  id: Id,
  form: z.enum(LETTER_FORMS),
  status: z.enum(['ready', 'running', 'done', 'failed', 'cancelled', 'expired']),
  letters: z.int(),
  total: z.int(),
});
export type LetterFile = z.infer<typeof LetterFile>;

/** Issues a letter to each of these people. `url` gives the file, once and without a token. 429 while others are made. */
export const issueLetters = endpoint('POST', '/reports/letter-files', {
  body: LettersInput,
  reply: z.object({ file: LetterFile, url: z.string(), without: z.int() }),
  status: 201,
});

/** How far the viewer's own file has come. */
export const readLetterFile = endpoint('GET', '/reports/letter-files/:id', {
  params: byId,
  reply: z.object({ file: LetterFile }),
});

/** Stops the viewer's own file. Its letters are withdrawn unless it was whole. */
export const cancelLetterFile = endpoint('DELETE', '/reports/letter-files/:id', {
  params: byId,
  reply: z.object({ file: LetterFile, message: z.string() }),
});

/** The PDF of a letter or the file of many, at the address that a `url` names. */
export const downloadLetters = endpoint('GET', '/letters/files/:token', {
  params: z.object({ token: z.string() }),
  file: true,
});

/** What a letter's code says to whoever also knows the last name in it. */
export const CheckedLetter = z.object({
  status: z.enum(['valid', 'changed', 'renamed', 'withdrawn']),
  /** The name in the letter; null once the person was erased. */
  person: z.nullable(z.string()),
  /** Null for all schools. */
  school: z.nullable(z.string()),
  district: z.string(),
  startDate: CalendarDate,
  endDate: CalendarDate,
  hours: z.number(),
  /** What the record holds now; null once the letter was withdrawn. */
  hoursNow: z.nullable(z.number()),
  isVerifiedOnly: z.boolean(),
  issuedOn: CalendarDate,
});
export type CheckedLetter = z.infer<typeof CheckedLetter>;

/** Checks a letter. A wrong code and a wrong name are the same 404; guessing is throttled by code and by address. */
export const checkLetter = endpoint('POST', '/letters/check', {
  body: z.object({
    code: requiredText(LETTERS.code, messages.codeRequired),
    lastName: requiredText(LETTERS.lastName, messages.lastNameRequired),
  }),
  reply: CheckedLetter,
});
