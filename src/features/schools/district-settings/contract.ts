import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('district-settings');

/** Sentences of this room. */
export const messages = {
  title: say('title'),
  support: say('support'),
  failedToLoad: say('failedToLoad'),
} as const;

/** How a volunteer gets in and joins a school (decisions: who may do what). */
export const REGISTRATION_MODES = ['open', 'verify-email', 'approval', 'invite'] as const;

/** Where a district's logo is, and its pixels, so that a page leaves room for it before it is there. */
export const DistrictLogo = z.object({ url: z.string(), width: z.int(), height: z.int() });

/** What every screen may know without signing in. `today` is the calendar date in the district's zone. */
export const District = z.object({
  districtName: z.string(),
  /** There where the district has one. */
  logo: z.optional(DistrictLogo),
  supportEmail: z.string(),
  timeZone: z.string(),
  today: CalendarDate,
  schoolYearStart: CalendarDate,
  registration: z.enum(REGISTRATION_MODES),
  /** The languages that can be chosen here. */
  languages: z.array(z.enum(LANGUAGES)),
  passwordMinLength: z.int(),
  /** There where people can also sign in with an account at another service. */
  hasProviders: z.optional(z.literal(true)),
  /** The origin at which somebody has a passkey; absent where nobody has. */
  passkeysAt: z.optional(z.string()),
  /** There where people can also sign in by a mailed link. */
  hasSignInLink: z.optional(z.literal(true)),
  /** There where browsers may not keep the page for times without a network. */
  hasNoWorker: z.optional(z.literal(true)),
  /** There where people are approved and no mail server is set, so that nobody can confirm an address. */
  hasNoMail: z.optional(z.literal(true)),
});
export type District = z.infer<typeof District>;

/** The district's name, support address, zone and day. Public. */
export const getDistrict = endpoint('GET', '/config', { reply: District });
