import * as z from 'zod/mini';
import { endpoint } from '#base/endpoint.ts';
import { Id, IdText } from '#base/id.ts';
import { sayFrom } from '#base/message.ts';
import { pageQuery, pageReply, searchQuery } from '#base/page.ts';
import { requiredText } from '#base/text.ts';
import type text from './text.en.json';

const say = sayFrom<typeof text>('schools');

/** Lengths, in characters. */
export const LIMITS = { name: 120 } as const;

/** The largest logo upload in bytes, and the stored logo's longest side in pixels. */
export const LOGO = { bytes: 5 * 1024 * 1024, side: 500 } as const;

/** Sentences of this room (specification sections 2 and 8). */
export const messages = {
  notFound: say('notFound'),
  nameRequired: say('nameRequired'),
  nameTaken: say('nameTaken'),
  created: say('created'),
  updated: say('updated'),
  deleted: say('deleted'),
  inUse: (name: string, things: string) => say('inUse', { name, things }),
  countedCategories: (count: number) => say('countedCategories', { count }),
  countedActivities: (count: number) => say('countedActivities', { count }),
  countedTimeEntries: (count: number) => say('countedTimeEntries', { count }),
  countedPhotos: (count: number) => say('countedPhotos', { count }),
  countedSuggestions: (count: number) => say('countedSuggestions', { count }),
  countedVolunteers: (count: number) => say('countedVolunteers', { count }),
  countedMembers: (count: number) => say('countedMembers', { count }),
  logoUpdated: say('logoUpdated'),
  logoRemoved: say('logoRemoved'),
  logoMissing: say('logoMissing'),
  logoTooMany: say('logoTooMany'),
  logoTooLarge: say('logoTooLarge'),
  logoType: say('logoType'),
  logoDimensions: say('logoDimensions'),
  logoUnreadable: say('logoUnreadable'),
  failedToLoad: say('failedToLoad'),
  failedToLoadTryAgain: say('failedToLoadTryAgain'),
  failedToLoadRefresh: say('failedToLoadRefresh'),
  loading: say('loading'),
  choose: say('choose'),
  search: say('search'),
  noMatch: say('noMatch'),
  remove: (name: string) => say('remove', { name }),
  none: (email: string) => say('none', { email }),
  header: say('header'),
} as const;

/** A school as everybody may see it. */
export const PublicSchool = z.object({ id: Id, name: z.string(), logoUrl: z.nullable(z.string()) });
export type PublicSchool = z.infer<typeof PublicSchool>;

/** A school as administrators see it, with what belongs to it. `version` grows with every change. */
export const School = z.object({
  ...PublicSchool.shape,
  version: z.int(),
  counts: z.object({ userSchools: z.int(), activityCategories: z.int() }),
});
export type School = z.infer<typeof School>;

/** A new school (specification section 5). */
export const SchoolInput = z.object({ name: requiredText(LIMITS.name, messages.nameRequired) });

/** Changes of a school: absent fields stay. */
export const SchoolChange = z.partial(SchoolInput);

/** Every school by name, never cut. Public: the register form needs it. */
export const listPublicSchools = endpoint('GET', '/schools/public', {
  reply: z.object({ schools: z.array(PublicSchool) }),
});

/** Schools by name, for administrators. */
export const listSchools = endpoint('GET', '/admin/schools', {
  query: z.object({ ...pageQuery, ...searchQuery }),
  reply: z.object({ schools: z.array(School), total: z.int(), ...pageReply }),
});

const oneSchool = z.object({ school: School, message: z.string() });

export const createSchool = endpoint('POST', '/admin/schools', {
  body: SchoolInput,
  reply: oneSchool,
  status: 201,
});

export const updateSchool = endpoint('PUT', '/admin/schools/:id', {
  params: z.object({ id: IdText }),
  body: SchoolChange,
  reply: oneSchool,
});

export const deleteSchool = endpoint('DELETE', '/admin/schools/:id', {
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
});

const byId = z.object({ id: IdText });

/**
 * Sets or replaces a school's logo: a JPEG, PNG, GIF, WebP or HEIC picture, which is decoded and encoded anew, 500 x 500 pixels at most. 400 for anything else, 413 for more than 5 MB.
 */
export const uploadLogo = endpoint('POST', '/admin/schools/:id/logo', {
  params: byId,
  files: {
    field: 'logo',
    most: 1,
    bytes: LOGO.bytes,
    tooMany: messages.logoTooMany,
    tooLarge: messages.logoTooLarge,
  },
  reply: oneSchool,
});

/** Removes a school's logo; without one nothing changes. */
export const removeLogo = endpoint('DELETE', '/admin/schools/:id/logo', { params: byId, reply: oneSchool });

/** A logo, at the address that `logoUrl` gives. Public: the register form shows it. */
export const getLogo = endpoint('GET', '/schools/logos/:name', {
  params: z.object({ name: z.string() }),
  file: true,
});
