import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { RECENT_AUTH_MINUTES } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import type { Language } from '#shared/i18n/languages.ts';
import type { Message } from '#shared/i18n/message.ts';
import {
  type Capability,
  type Grant,
  type PermissionHolder,
  schoolsWhereAllowed,
} from '#shared/permissions.ts';
import type { Actor } from '../audit-log.ts';

/** The signed-in user, read again for every request, so that changes take effect immediately. */
export type SignedIn = Readonly<{
  userId: number;
  sessionId: number;
  role: 'user' | 'admin';
  /** The joined schools, without pending ones. */
  schoolIds: readonly number[];
  /** The joined schools whose photos are only visible to members approved by an administrator; absent means none. */
  photosHiddenAt?: readonly number[];
  grants: readonly Grant[];
  /** When this session last authenticated; absent and null mean never. */
  provenAt?: Instant | null;
  /** Their chosen language; absent if the browser decides. */
  language?: Language;
  /** Why this user must set up two-factor authentication first; undefined if not. */
  setUpFirst?: Message;
}>;

/** The sender of an authorized call. `schools` are those that the call may read and change. */
export type Viewer = SignedIn & Readonly<{ schools: SchoolScope }>;

/**
 * The schools that limit a call's reads: 'all', or a list. Only this file creates a scope, from a user's memberships and roles,
 * and store reads require one, so a row outside it is simply not found.
 */
export type SchoolScope = ('all' | readonly number[]) & { readonly __brand: 'SchoolScope' };

/** For reads that need no user's permissions, such as looking up an invitation code. */
export const ALL_SCHOOLS_SCOPE = 'all' as SchoolScope;

/**
 * Throws unless the user authenticated within `RECENT_AUTH_MINUTES` (beyond section 4); the page then asks
 * them to re-authenticate.
 */
export function requireRecentAuth({ provenAt }: SignedIn, { at }: Request): void {
  const isFresh =
    provenAt !== undefined &&
    provenAt !== null &&
    Math.abs(millisecondsOf(at) - millisecondsOf(provenAt)) <= RECENT_AUTH_MINUTES * 60_000;
  if (!isFresh) throw errors.recentAuthNeeded(commonMessages.freshProofRequired);
}

/** The schools where a user has a capability; an empty list if there are none. */
export function scopeFor(person: PermissionHolder, capability: Capability): SchoolScope {
  return schoolsWhereAllowed(person, capability) as SchoolScope;
}

/** The scope of a call without a capability: the joined schools, or all for a district administrator. */
export function scopeOf(person: SignedIn): SchoolScope {
  return scopeOfMemberOr(person, 'run the district');
}

/** The viewer of a call without a capability, with the joined schools, or all for a district administrator. */
export function asViewer(person: SignedIn): Viewer {
  return { ...person, schools: scopeOf(person) };
}

/** The schools where a user is a member or has a capability. */
export function scopeOfMemberOr(person: SignedIn, capability: Capability): SchoolScope {
  const granted = schoolsWhereAllowed(person, capability);
  if (granted === 'all') return granted as SchoolScope;
  const schools = granted.length === 0 ? person.schoolIds : [...new Set([...person.schoolIds, ...granted])];
  return schools as readonly number[] as SchoolScope;
}

/** Whether a user has a capability at a school. */
export function canAt(person: SignedIn, capability: Capability, schoolId: number): boolean {
  return isWithin(scopeFor(person, capability), schoolId);
}

/** The schools in which a user sees only photos they uploaded. */
export function hiddenPhotoSchools(person: SignedIn): readonly number[] {
  return (person.photosHiddenAt ?? []).filter((schoolId) => !canAt(person, 'see photos', schoolId));
}

/** Whether a user has a capability at all schools. */
export function canEverywhere(person: SignedIn, capability: Capability): boolean {
  return scopeFor(person, capability) === 'all';
}

/** Whether a school is within a scope. */
export function isWithin(scope: SchoolScope, schoolId: number): boolean {
  return scope === 'all' || scope.includes(schoolId);
}

/** Narrows a scope to one school; undefined if that school is outside it. */
export function narrowTo(scope: SchoolScope, schoolId: number): SchoolScope | undefined {
  if (!isWithin(scope, schoolId)) return undefined;
  return [schoolId] as readonly number[] as SchoolScope;
}

/**
 * A request as the audit log and the rate limits need it. `device` is a key that the browser created to be recognized at
 * sign-in, `browserKey` the cookie from before it left for a sign-in service, and `bearer` the token sent along, which is
 * unverified if the endpoint is public.
 */
export type Request = Readonly<{
  at: Instant;
  address: string;
  requestId: string;
  agent: string;
  /** The Accept header. */
  accept?: string;
  device?: string;
  browserKey?: string;
  bearer?: string;
}>;

/** A user and the request they act with. */
export type Acting = Readonly<{ viewer: Viewer; request: Request }>;

/** The actor of a request; anonymous without a viewer. */
export function actorOf(viewer: Pick<SignedIn, 'userId'> | undefined, request: Request): Actor {
  return {
    userId: viewer?.userId ?? null,
    at: request.at,
    address: request.address,
    requestId: request.requestId,
  };
}
