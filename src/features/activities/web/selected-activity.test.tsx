import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { day, type Instant } from '#shared/calendar-date.ts';
import type { Activity } from '../contract.ts';
import { PickedActivity } from './selected-activity.tsx';

afterEach(cleanup);

const TODAY = day('2026-03-10');

const fair: Activity = {
  id: 3,
  name: 'Book fair',
  category: { id: 1, name: 'Events', color: '#3498db', kind: 'event' },
  isActive: true,
  activeFrom: TODAY,
  activeUntil: null,
  requiresDescription: false,
  descriptionPrompt: null,
  description: null,
  categoryId: 1,
  schoolId: 7,
  createdAt: '2026-01-01T00:00:00.000Z' as Instant,
  version: 1,
  counts: { timeEntries: 0 },
  photoCount: 0,
  verifiedBy: 'school',
  outsideVerifier: null,
};

function show(onPhotos?: (activity: Activity) => void) {
  const onCancel = vi.fn();
  const days = { today: TODAY, utcDay: TODAY };
  render(<PickedActivity activity={fair} days={days} onCancel={onCancel} onPhotos={onPhotos} />);
  return onCancel;
}

it('the selected activity is shown with a Cancel button', () => {
  const onCancel = show();
  expect(screen.getByRole('heading', { name: 'Book fair' })).toBeDefined();
  expect(screen.getByText('Events')).toBeDefined();
  expect(screen.getByText('Today')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onCancel).toHaveBeenCalledTimes(1);
});

it('the selected activity has a Photos button only if there is a photos screen', () => {
  show();
  expect(screen.queryByRole('button', { name: 'Photos' })).toBeNull();
  cleanup();
  const onPhotos = vi.fn();
  show(onPhotos);
  fireEvent.click(screen.getByRole('button', { name: 'Photos' }));
  expect(onPhotos).toHaveBeenCalledWith(fair);
});
