import { useState } from 'react';
import type { Id } from '#shared/id.ts';
import { readStored, writeStored } from '#web/api/browser-storage.ts';
import { adminSchoolName } from './admin-school-name.ts';

/** What the administrators' lists are about: a school, or all schools that the person may see there. */
export type SchoolChoice = Id | 'all';

/**
 * What this account chose last in this browser, if anything, unless `first` is to be shown. Whoever shows it checks that
 * the school is still theirs.
 */
export function useSchoolChoice(userId: Id, first?: SchoolChoice) {
  const [choice, show] = useState(() => first ?? remembered(userId));
  const [isFromNumber, openFromNumber] = useState(false);
  return {
    choice: isFromNumber ? 'all' : choice,
    /** Whether a list was opened by the number of what waits there: that is of all schools, and leads to just those. */
    isFromNumber,
    openFromNumber,
    /** Shows a school without remembering it. */
    show,
    choose(next: SchoolChoice | undefined) {
      openFromNumber(false);
      show(next);
      writeStored(adminSchoolName(userId), next === undefined ? null : String(next));
    },
  };
}

function remembered(userId: Id): SchoolChoice | undefined {
  const stored = readStored(adminSchoolName(userId)) ?? '';
  if (stored === 'all') return 'all';
  return /^[1-9]\d{0,14}$/.test(stored) ? Number(stored) : undefined;
}
