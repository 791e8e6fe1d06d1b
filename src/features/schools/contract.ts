import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id } from '#shared/id.ts';
import type text from './messages.en.json';
import type serverText from './messages.server.en.json';

const say = messageFactory<typeof text>('schools');
// Messages that only the server renders; no browser loads them.
const serverMessage = messageFactory<typeof serverText>('schools');

/** Lengths, in characters. */
export const LIMITS = { name: 120 } as const;

/** Messages about schools (specification sections 2 and 8). */
export const messages = {
  notFound: say('notFound'),
  nameRequired: say('nameRequired'),
  nameTaken: serverMessage('nameTaken'),
  created: say('created'),
  updated: say('updated'),
  deleted: say('deleted'),
  inUse: (name: string, things: string) => say('inUse', { name, things }),
  countedCategories: (count: number) => say('countedCategories', { count }),
  countedActivities: (count: number) => say('countedActivities', { count }),
  countedTimeEntries: (count: number) => say('countedTimeEntries', { count }),
  countedPhotos: (count: number) => say('countedPhotos', { count }),
  countedSuggestions: (count: number) => serverMessage('countedSuggestions', { count }),
  countedVolunteers: (count: number) => serverMessage('countedVolunteers', { count }),
  countedMembers: (count: number) => say('countedMembers', { count }),
  logoUpdated: serverMessage('logoUpdated'),
  logoRemoved: serverMessage('logoRemoved'),
  logoMissing: say('logoMissing'),
  logoTooMany: say('logoTooMany'),
  logoTooLarge: say('logoTooLarge'),
  logoType: say('logoType'),
  logoDimensions: serverMessage('logoDimensions'),
  logoUnreadable: serverMessage('logoUnreadable'),
  failedToLoad: say('failedToLoad'),
  failedToLoadTryAgain: say('failedToLoadTryAgain'),
  failedToLoadRefresh: say('failedToLoadRefresh'),
  loading: say('loading'),
  none: (email: string) => say('none', { email }),
  header: say('header'),
} as const;

/** The public data of a school. */
export const PublicSchool = z.object({ id: Id, name: z.string(), logoUrl: z.nullable(z.string()) });
export type PublicSchool = z.infer<typeof PublicSchool>;

/** Lists every school by name, without paging. Public, because the registration form needs it. */
export const listPublicSchools = endpoint('GET', '/schools/public', {
  reply: z.object({ schools: z.array(PublicSchool) }),
});

/** Returns the logo at `logoUrl`. Public, because the registration form shows it. */
export const getLogo = endpoint('GET', '/schools/logos/:name', {
  params: z.object({ name: z.string() }),
  file: true,
});
