import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { IdText } from '#shared/id.ts';
import type text from '../messages.staff.en.json';

const say = messageFactory<typeof text>('time-entries');

/** The limits of a sheet: blank lines, people, and minutes that its link works. */
export const SIGN_IN_SHEET = { lines: 200, people: 1000, linkMinutes: 5 } as const;

/** Messages about sign-in sheets. */
export const messages = {
  day: say('sheetDayRequired'),
  lines: say('sheetLinesBounds', { max: SIGN_IN_SHEET.lines }),
  nothing: say('sheetNothing'),
  tooMany: say('sheetTooMany', { max: SIGN_IN_SHEET.people }),
  unprintable: (name: string) => say('sheetUnprintable', { name }),
  linkGone: say('sheetLinkGone'),
} as const;

/** The names printed on a sheet: recent helpers at activities of this name, all school members, or none. */
export const SHEET_PEOPLE = ['helpers', 'members', 'nobody'] as const;
export type SheetPeople = (typeof SHEET_PEOPLE)[number];

export const PAPERS = ['letter', 'a4'] as const;
export type Paper = (typeof PAPERS)[number];

/** A sign-in sheet for an activity on a day. */
export const SignInSheetInput = z
  .object({
    date: z.pipe(z.string(messages.day), CalendarDate),
    people: z.enum(SHEET_PEOPLE, commonMessages.required),
    blankLines: z
      .int(messages.lines)
      .check(z.minimum(0, messages.lines), z.maximum(SIGN_IN_SHEET.lines, messages.lines)),
    paper: z.enum(PAPERS, commonMessages.required),
  })
  .check(
    z.refine(({ people, blankLines }) => people !== 'nobody' || blankLines > 0, {
      error: messages.nothing,
      path: ['blankLines'],
    }),
  );
export type SignInSheetInput = z.infer<typeof SignInSheetInput>;

/**
 * Requests a sheet. `url` downloads its PDF once, without a token, within `SIGN_IN_SHEET.linkMinutes`. `people` is
 * the number of printed names; names that the PDF's font cannot render are left out and listed in `unprintable`.
 */
export const makeSignInSheet = endpoint('POST', '/admin/activities/:id/sign-in-sheet', {
  params: z.object({ id: IdText }),
  body: SignInSheetInput,
  reply: z.object({ url: z.string(), people: z.int(), unprintable: z.array(z.string()) }),
  status: 201,
});

/** The PDF of a sheet, at the address that `url` names. */
export const downloadSignInSheet = endpoint('GET', '/sign-in-sheets/:token', {
  params: z.object({ token: z.string() }),
  file: true,
});
