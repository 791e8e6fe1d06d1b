import { describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { messages } from '../contract.ts';
import {
  activityFormErrors,
  canSubmit,
  copyForNextYear,
  valuesOf,
  withChange,
} from './admin-activity-form-values.ts';

const empty = valuesOf(undefined, 1);
const dated = withChange(empty, { activeFrom: day('2026-03-06'), activeUntil: day('2026-03-07') });

const fair = {
  id: 7,
  name: 'Book fair 2026',
  categoryId: 3,
  category: { id: 3, name: 'Events', color: '#3498db', kind: 'event' as const },
  description: 'In the library',
  schoolId: 1,
  isActive: false,
  activeFrom: day('2026-03-06'),
  activeUntil: null,
  requiresDescription: true,
  descriptionPrompt: 'stall',
  createdAt: '2026-01-01T00:00:00.000Z' as never,
  version: 2,
  counts: { timeEntries: 4 },
  photoCount: 0,
  verifiedBy: 'school' as const,
  outsideVerifier: null,
  translations: null,
};

describe('the activity form', () => {
  test('starts a new activity as active, without dates or a required description', () => {
    expect(empty).toMatchObject({
      isActive: true,
      isYearLong: false,
      activeFrom: null,
      descriptionPrompt: '',
    });
  });

  test('treats an activity without dates as year-long', () => {
    expect(valuesOf({ ...fair, activeFrom: null }, 1).isYearLong).toBe(true);
    expect(valuesOf(fair, 1).isYearLong).toBe(false);
  });

  test('clears both dates when year-long is turned on', () => {
    expect(withChange(dated, { isYearLong: true })).toMatchObject({ activeFrom: null, activeUntil: null });
  });

  test('clears the end date when the start date is cleared', () => {
    expect(withChange(dated, { activeFrom: null }).activeUntil).toBeNull();
    expect(withChange(dated, { activeFrom: day('2026-03-01') }).activeUntil).toBe('2026-03-07');
  });

  test("clears the prompt when 'requires description' is turned off", () => {
    const asking = withChange(empty, { requiresDescription: true, descriptionPrompt: 'what you baked' });
    expect(asking.descriptionPrompt).toBe('what you baked');
    expect(withChange(asking, { requiresDescription: false }).descriptionPrompt).toBe('');
  });

  test('requires a prompt if a description is required', () => {
    expect(canSubmit(empty)).toBe(true);
    expect(canSubmit({ ...empty, requiresDescription: true })).toBe(false);
    expect(canSubmit({ ...empty, requiresDescription: true, descriptionPrompt: '  ' })).toBe(false);
    expect(canSubmit({ ...empty, requiresDescription: true, descriptionPrompt: 'stall' })).toBe(true);
  });

  test('shows an end before the start as an error of the end field', () => {
    expect(activityFormErrors(dated)).toEqual({});
    expect(activityFormErrors({ ...dated, activeUntil: day('2026-03-05') })).toEqual({
      activeUntil: messages.endBeforeStart,
    });
  });
});

describe('copying an activity to next year', () => {
  test('moves an event by 52 weeks to the same weekday and activates it', () => {
    expect(copyForNextYear(fair)).toMatchObject({
      activeFrom: '2027-03-05',
      activeUntil: null,
      isActive: true,
    });
  });

  test.each([
    ['Book fair 2026', 'Book fair 2027'],
    ['Choir 2025-26', 'Choir 2026-27'],
    ['Choir 2025/2026', 'Choir 2026/2027'],
    ['Room 2031b', 'Room 2031b'],
    ['Grade 5 camp', 'Grade 5 camp'],
  ])('renames %s to %s', (name, next) => {
    expect(copyForNextYear({ ...fair, name }).name).toBe(next);
    const es = { name, description: 'En 2026', descriptionPrompt: null };
    expect(copyForNextYear({ ...fair, translations: { es } }).translations).toEqual({
      es: { ...es, name: next },
    });
  });
});
