import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('district-settings');

/** Messages about the district. */
export const messages = {
  title: say('title'),
  failedToLoad: say('failedToLoad'),
} as const;

/** The ways in which volunteers can register and join a school (decisions: who may do what). */
export const REGISTRATION_MODES = ['open', 'verify-email', 'approval', 'invite'] as const;

/** The URL of a district's logo and its size in pixels, so that a page reserves the space before it loads. */
export const DistrictLogo = z.object({ url: z.string(), width: z.int(), height: z.int() });

/** The district's public data. `today` is the calendar date in the district's time zone. */
export const District = z.object({
  districtName: z.string(),
  /** Present if the district has a logo. */
  logo: z.optional(DistrictLogo),
  supportEmail: z.string(),
  timeZone: z.string(),
  today: CalendarDate,
  schoolYearStart: CalendarDate,
  registration: z.enum(REGISTRATION_MODES),
  /** The languages the district offers. */
  languages: z.array(z.enum(LANGUAGES)),
  passwordMinLength: z.int(),
  /** Present if users can sign in with an external provider. */
  hasProviders: z.optional(z.literal(true)),
  /** The origin for passkeys; absent if no user has one. */
  passkeysAt: z.optional(z.string()),
  /** Present if users can sign in with an emailed link. */
  hasSignInLink: z.optional(z.literal(true)),
  /** Present if browsers must not install the service worker for offline use. */
  hasNoWorker: z.optional(z.literal(true)),
  /** Present if users need approval and there is no mail server, so that users cannot confirm an email address. */
  hasNoMail: z.optional(z.literal(true)),
});
export type District = z.infer<typeof District>;

/** Returns the district's public data. */
export const getDistrict = endpoint('GET', '/config', { reply: District });
