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

/** The signed-in person, read again for every request, so that changes take effect at once. */
export type SignedIn = Readonly<{
  userId: number;
  sessionId: number;
  role: 'user' | 'admin';
  /** The schools joined; pending ones are not among them. */
  schoolIds: readonly number[];
  /** The schools joined whose photos only members see whom an administrator let in; absent means none. */
  photosHiddenAt?: readonly number[];
  grants: readonly Grant[];
  /** When this session last gave a proof; absent and null mean never. */
  provenAt?: Instant | null;
  /** What they chose to be spoken to in; absent where their browser decides. */
  language?: Language;
  /** Why this person may do nothing but set up a second proof; undefined while they may do more. */
  setUpFirst?: Message;
}>;

/** Who sends a call that passed its gate; `schools` are those in which this call may look and act. */
export type Viewer = SignedIn & Readonly<{ schools: SchoolScope }>;

/**
 * The schools that a call's lists and look-ups are limited to: 'all', or the named ones. Only this file makes one, out
 * of a person's memberships and grants, and reads of a store need one, so a row outside it is simply not found.
 */
export type SchoolScope = ('all' | readonly number[]) & { readonly __brand: 'SchoolScope' };

/** For what is asked without anybody's rights, such as whom a code invites. */
export const ALL_SCHOOLS_SCOPE = 'all' as SchoolScope;

/** Refuses somebody whose last proof is older than `RECENT_AUTH_MINUTES` (beyond section 4); the page asks for one then. */
export function requireRecentAuth({ provenAt }: SignedIn, { at }: Request): void {
  const isFresh =
    provenAt !== undefined &&
    provenAt !== null &&
    Math.abs(millisecondsOf(at) - millisecondsOf(provenAt)) <= RECENT_AUTH_MINUTES * 60_000;
  if (!isFresh) throw errors.unproven(commonMessages.freshProofRequired);
}

/** Where somebody may do something; nowhere is an empty list. */
export function scopeFor(person: PermissionHolder, capability: Capability): SchoolScope {
  return schoolsWhereAllowed(person, capability) as SchoolScope;
}

/** The schools of a call that asks for no capability: those joined; a district administrator need not join. */
export function scopeOf(person: SignedIn): SchoolScope {
  return scopeOfMemberOr(person, 'run the district');
}

/** Somebody who uses no capability: in the schools joined, or as a district administrator in all. */
export function asViewer(person: SignedIn): Viewer {
  return { ...person, schools: scopeOf(person) };
}

/** Where a member of the school may, or whoever holds a capability there. */
export function scopeOfMemberOr(person: SignedIn, capability: Capability): SchoolScope {
  const granted = schoolsWhereAllowed(person, capability);
  if (granted === 'all') return granted as SchoolScope;
  const schools = granted.length === 0 ? person.schoolIds : [...new Set([...person.schoolIds, ...granted])];
  return schools as readonly number[] as SchoolScope;
}

/** Whether somebody may do something at a school. */
export function canAt(person: SignedIn, capability: Capability, schoolId: number): boolean {
  return isWithin(scopeFor(person, capability), schoolId);
}

/** The schools whose photos somebody sees only when they uploaded them. */
export function hiddenPhotoSchools(person: SignedIn): readonly number[] {
  return (person.photosHiddenAt ?? []).filter((schoolId) => !canAt(person, 'see photos', schoolId));
}

/** Whether somebody may do something at every school there is. */
export function canEverywhere(person: SignedIn, capability: Capability): boolean {
  return scopeFor(person, capability) === 'all';
}

/** Whether a school lies within a scope. */
export function isWithin(scope: SchoolScope, schoolId: number): boolean {
  return scope === 'all' || scope.includes(schoolId);
}

/** The scope narrowed to one school, or undefined when that school is outside it. */
export function narrowTo(scope: SchoolScope, schoolId: number): SchoolScope | undefined {
  if (!isWithin(scope, schoolId)) return undefined;
  return [schoolId] as readonly number[] as SchoolScope;
}

/**
 * The person who acts, for the record. `device` is a key made by the browser, to recognize it at sign-in; `browserKey`
 * one that it was given when it left for a sign-in service; `bearer` the token that came along, which nobody has looked at
 * where the call is public.
 */
export type Request = Readonly<{
  at: Instant;
  address: string;
  requestId: string;
  agent: string;
  /** The formats that the answer may have, as the browser says. */
  accept?: string;
  device?: string;
  browserKey?: string;
  bearer?: string;
}>;

/** Who does something, and by which request. */
export type Acting = Readonly<{ viewer: Viewer; request: Request }>;

/** The actor behind a request; nobody is signed in when there is no viewer. */
export function actorOf(viewer: Pick<SignedIn, 'userId'> | undefined, request: Request): Actor {
  return {
    userId: viewer?.userId ?? null,
    at: request.at,
    address: request.address,
    requestId: request.requestId,
  };
}
