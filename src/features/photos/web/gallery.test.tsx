import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { day, type Instant } from '#shared/calendar-date.ts';
import { maria } from '#test/dom/signed-in.ts';
import { notify } from '#web/ui/toasts.ts';
import type { Photo } from '../contract.ts';
import { Gallery } from './gallery.tsx';
import { photoPermissions } from './photo-permissions.ts';

const LIST = 'GET /api/activities/3/photos?schoolId=7&limit=50';
const SOON = { timeout: 5_000 };

let answers: Record<string, (request: RequestInit) => unknown>;

beforeEach(() => {
  answers = {};
  vi.stubGlobal('CSS', { escape: String });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ width: 1000 } as DOMRect);
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    const found = answers[`${request.method} ${url}`]?.(request);
    return Response.json(found ?? { error: 'Request failed' }, { status: found ? 200 : 500 });
  });
});
afterEach(() => {
  cleanup();
  notify.closeAll();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function aPhoto(id: number, given: Partial<Photo> = {}): Photo {
  return {
    id,
    caption: `Stand ${id}`,
    originalName: `IMG_${id}.jpg`,
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
    thumbnailSignedUrl: `/thumbnail-${id}`,
    signedUrl: `/view-${id}`,
    linksExpireAt: '2026-03-10T00:05:00.000Z' as Instant,
    version: 1,
    canEdit: true,
    canDelete: true,
    ...given,
  };
}

const page = (photos: readonly Photo[], nextCursor: string | null = null, total = photos.length) => ({
  photos,
  nextCursor,
  pagination: { total },
});

function show(isAdmin = false) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Gallery
        scope={{ schoolId: 7, activityId: 3 }}
        permissionsAt={() => photoPermissions(maria({ role: isAdmin ? 'admin' : 'user' }), 7, true)}
        whenNone="No photos yet."
      />
    </QueryClientProvider>,
  );
}

const openPhoto = async (id: number) => {
  fireEvent.click(await screen.findByRole('button', { name: `Open Stand ${id}` }));
  return screen.findByRole('dialog', { name: 'Photo viewer' }, SOON);
};

test('the viewer moves by button, arrow key and thumbnail, and stops at both ends', async () => {
  answers[LIST] = () => page([aPhoto(3), aPhoto(2), aPhoto(1)]);
  show();
  const viewer = await openPhoto(3);
  expect(within(viewer).getByText('1 / 3')).toBeTruthy();
  fireEvent.click(within(viewer).getByRole('button', { name: 'Next photo' }));
  expect(within(viewer).getByText('2 / 3')).toBeTruthy();
  fireEvent.keyDown(viewer, { key: 'ArrowRight' });
  fireEvent.keyDown(viewer, { key: 'ArrowRight' });
  expect(within(viewer).getByText('3 / 3')).toBeTruthy();
  fireEvent.click(within(viewer).getByRole('button', { name: 'Open Stand 3' }));
  expect(within(viewer).getByText('1 / 3')).toBeTruthy();
  fireEvent.keyDown(viewer, { key: 'ArrowLeft' });
  expect(within(viewer).getByText('1 / 3')).toBeTruthy();
});

test('the viewer counts photos that are not loaded yet and loads them in time', async () => {
  answers[LIST] = () => page([aPhoto(3), aPhoto(2)], 'more', 3);
  answers[`${LIST}&cursor=more`] = () => page([aPhoto(1)], null, 3);
  show();
  const viewer = await openPhoto(3);
  expect(within(viewer).getByText('1 / 3')).toBeTruthy();
  fireEvent.keyDown(viewer, { key: 'ArrowRight' });
  await within(viewer).findByRole('button', { name: 'Open Stand 1' });
  fireEvent.keyDown(viewer, { key: 'ArrowRight' });
  expect(within(viewer).getByText('3 / 3')).toBeTruthy();
});

test.each([
  ['Escape', (viewer: HTMLElement) => fireEvent.keyDown(viewer, { key: 'Escape' })],
  [
    'the Close button',
    (viewer: HTMLElement) => fireEvent.click(within(viewer).getByRole('button', { name: 'Close' })),
  ],
  ['the back gesture', () => history.back()],
])('%s closes the viewer', async (_, close) => {
  answers[LIST] = () => page([aPhoto(1)]);
  show();
  const viewer = await openPhoto(1);
  close(viewer);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the viewer shows the next photo after deleting one', async () => {
  answers[LIST] = () => page([aPhoto(2), aPhoto(1)]);
  answers['DELETE /api/photos/2'] = () => ({ message: 'Photo deleted successfully' });
  show();
  const viewer = await openPhoto(2);
  fireEvent.click(within(viewer).getByRole('button', { name: 'Delete photo' }));
  const question = await screen.findByRole('alertdialog', {}, SOON);
  expect(within(question).getByText('Are you sure you want to delete this photo?')).toBeTruthy();
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }));
  expect(await within(viewer).findByText('Photo deleted successfully')).toBeTruthy();
  expect(within(viewer).getByText('1 / 1')).toBeTruthy();
});

test('a hidden photo disappears for members, and stays visible to administrators', async () => {
  answers[LIST] = () => page([aPhoto(2), aPhoto(1)]);
  const asked = vi.fn(() => ({ message: 'Thank you.' }));
  answers['POST /api/photos/2/takedown'] = asked;
  const takeDown = async () => {
    const viewer = await openPhoto(2);
    fireEvent.click(within(viewer).getByRole('button', { name: 'Ask to take this down' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Take down' }, SOON));
    await within(viewer).findByText('Thank you.');
    return viewer;
  };
  show();
  expect(within(await takeDown()).getByText('1 / 1')).toBeTruthy();
  cleanup();
  show(true);
  expect(within(await takeDown()).getByText('1 / 2')).toBeTruthy();
  cleanup();
  expect(asked).toHaveBeenCalledTimes(2);
});

test('an empty gallery shows a message', async () => {
  answers[LIST] = () => page([]);
  show();
  expect(await screen.findByText('No photos yet.')).toBeTruthy();
});
