import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { User } from '#features/users/contract.ts';
import { day, type Instant } from '#shared/calendar-date.ts';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, startSession } from '#web/api/session.ts';

/** The district of component tests. */
export const cedarValley: District = {
  districtName: 'Cedar Valley',
  supportEmail: 'help@example.org',
  timeZone: 'America/Chicago',
  today: day('2026-03-04'),
  schoolYearStart: day('2025-07-01'),
  registration: 'open',
  languages: ['en', 'es'],
  passwordMinLength: 6,
};

/** Maria's account; a test may change any of its values. */
export function maria(given: Partial<User> = {}): User {
  return {
    id: 9,
    email: 'maria@example.org',
    firstName: 'Maria',
    lastName: 'Lopez',
    role: 'user',
    isActive: true,
    createdAt: '2026-03-01T03:00:00.000Z' as Instant,
    lastLogin: '2026-03-04T18:05:00.000Z' as Instant,
    schools: [],
    pendingSchools: [],
    grants: [],
    erasureRequestedAt: null,
    language: null,
    ...given,
  };
}

type Answer = () => Response | Promise<Response>;

/**
 * Signs in before each test of a file and out after it. Requests get the reply for their method and path, such as 'GET
 * /api/profile', or a 404. A test may replace replies.
 */
export function signedIn(answersAtFirst: Readonly<Record<string, Answer>>) {
  const answers: Record<string, Answer> = {};
  const fetched = vi.fn<typeof fetch>();
  beforeEach(() => {
    for (const call of Object.keys(answers)) delete answers[call];
    Object.assign(answers, answersAtFirst);
    fetched.mockReset();
    fetched.mockImplementation(
      async (url, request) => answers[`${request?.method} ${url}`]?.() ?? new Response(null, { status: 404 }),
    );
    vi.stubGlobal('fetch', fetched);
    startSession('abc');
  });
  afterEach(() => {
    cleanup();
    queryClient.clear();
    vi.unstubAllGlobals();
    endSession();
  });
  return { answers, fetched };
}
