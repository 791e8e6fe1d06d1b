import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { day, type Instant } from '#shared/calendar-date.ts';
import type { Photo } from '../contract.ts';
import { PhotoCard } from './photo-card.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function aPhoto(given: Partial<Photo> = {}): Photo {
  return {
    id: 4,
    caption: 'Sorting books',
    originalName: 'IMG_1.jpg',
    fileSize: 1000,
    width: 400,
    height: 300,
    createdAt: '2026-03-10T00:00:00.000Z' as Instant,
    googlePhotosUrl: null,
    googlePhotosId: null,
    user: null,
    activity: {
      id: 3,
      name: 'Book fair',
      activeFrom: day('2026-03-08'),
      category: { id: 1, name: 'Events', color: '#3498db', kind: 'event' },
    },
    schoolId: 7,
    containsStudents: false,
    review: 'visible',
    thumbnailSignedUrl: '/thumbnail-1',
    signedUrl: '/view-1',
    linksExpireAt: '2026-03-10T00:05:00.000Z' as Instant,
    version: 1,
    canEdit: true,
    canDelete: true,
    ...given,
  };
}

function show(photo: Photo) {
  const nothing = () => undefined;
  render(
    <ul>
      <PhotoCard
        photo={photo}
        width={200}
        height={150}
        onOpen={nothing}
        onEdit={nothing}
        onDelete={nothing}
      />
    </ul>,
  );
}

test('a card shows the caption, activity, day and file name', () => {
  show(aPhoto());
  for (const words of ['Sorting books', 'Book fair', 'Mar 8, 2026', 'IMG_1.jpg']) {
    expect(screen.getByText(words)).toBeTruthy();
  }
  expect(screen.queryByText(/^By:/)).toBeNull();
  expect(screen.queryByText('Google Photos')).toBeNull();
});

test('a card shows the uploader if the server returns one', () => {
  show(aPhoto({ user: { id: 9, firstName: 'Maria', lastName: 'Lopez' } }));
  expect(screen.getByText('By: Maria Lopez')).toBeTruthy();
});

test('a card has a badge for a photo from Google Photos', () => {
  show(aPhoto({ googlePhotosId: 'abc' }));
  expect(screen.getByText('Google Photos')).toBeTruthy();
});

test('a card has only the button that opens the photo if the viewer cannot change it', () => {
  show(aPhoto({ canEdit: false, canDelete: false }));
  expect(screen.getAllByRole('button')).toHaveLength(1);
});

test('a card without a caption is labeled with the activity', () => {
  show(aPhoto({ caption: null }));
  expect(screen.getByRole('button', { name: 'Open Photo of Book fair' })).toBeTruthy();
});

test('a card retries a failed image once with a new link', async () => {
  const fetched = vi.fn(async () =>
    Response.json({ photo: aPhoto(), signedUrl: '/view-2', thumbnailSignedUrl: '/thumbnail-2' }),
  );
  vi.stubGlobal('fetch', fetched);
  show(aPhoto());
  fireEvent.error(screen.getByRole('img'));
  await waitFor(() => expect(screen.getByRole('img').getAttribute('src')).toBe('/thumbnail-2'));
  fireEvent.error(screen.getByRole('img'));
  expect(screen.getByText('Preview unavailable')).toBeTruthy();
  expect(fetched).toHaveBeenCalledOnce();
});

test('a card shows an error if a failed image has no new link', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ error: 'Photo not found' }, { status: 404 }));
  show(aPhoto());
  fireEvent.error(screen.getByRole('img'));
  expect(await screen.findByText('Preview unavailable')).toBeTruthy();
});
