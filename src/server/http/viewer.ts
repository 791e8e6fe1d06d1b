import type { Instant } from '#base/calendar-date.ts';
import type { Actor } from '../audit.ts';

/** The signed-in person, read again for every request, so that changes take effect at once. */
export type Viewer = Readonly<{
  userId: number;
  sessionId: number;
  role: 'user' | 'admin';
  /** The schools joined; pending ones are not among them. */
  schoolIds: readonly number[];
}>;

/**
 * The schools that a viewer's lists and look-ups are limited to: 'all', or the named ones. Only `scopeOf` and
 * `narrowTo` make one, and reads of a store need one, so a row outside it is simply not found.
 */
export type SchoolScope = ('all' | readonly number[]) & { readonly __brand: 'SchoolScope' };

/** An administrator sees the district, a volunteer the schools joined (decisions: who may do what). */
export function scopeOf(viewer: Viewer): SchoolScope {
  return (viewer.role === 'admin' ? 'all' : viewer.schoolIds) as SchoolScope;
}

/** The scope narrowed to one school, or undefined when that school is outside it. */
export function narrowTo(scope: SchoolScope, schoolId: number): SchoolScope | undefined {
  if (scope !== 'all' && !scope.includes(schoolId)) return undefined;
  return [schoolId] as readonly number[] as SchoolScope;
}

/** The person who acts, for the record. `device` is a key made by the browser, to recognize it at sign-in. */
export type Request = Readonly<{
  at: Instant;
  address: string;
  requestId: string;
  agent: string;
  device?: string;
}>;

/** Who does something, and by which request. */
export type Acting = Readonly<{ viewer: Viewer; request: Request }>;

/** The actor behind a request; nobody is signed in when there is no viewer. */
export function actorOf(viewer: Viewer | undefined, request: Request): Actor {
  return {
    userId: viewer?.userId ?? null,
    at: request.at,
    address: request.address,
    requestId: request.requestId,
  };
}
