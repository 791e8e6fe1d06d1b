import { describe, expect, test } from 'vitest';
import { day } from '#base/calendar-date.ts';
import { anActivity, aSchool } from '#test/builders.ts';
import { aStoredPhoto, connectedToGoogle, statusOf, storedPhotos, sync } from '#test/drive.ts';

async function aFieldDay(photos = 3) {
  const made = await connectedToGoogle();
  const { app, admin } = made;
  const school = await aSchool(app);
  const activity = await anActivity(app, { school, name: "Field Day '26", activeFrom: day('2026-05-29') });
  const stored = await storedPhotos(app, photos, { by: admin, activity });
  return { ...made, school, activity, photos: stored };
}

const idsOf = (photos: readonly { id: number }[]) => photos.map(({ id }) => String(id));

describe('a sync', () => {
  test('puts the photos of an activity into a folder with its name and day, once', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay();
    const { status, body } = await sync(app, admin, [activity]);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        results: [
          {
            activityId: activity.id,
            success: true,
            error: null,
            successful: 3,
            skipped: 0,
            failed: 0,
            folder: { name: "Field Day '26 2026-05-29", url: expect.stringContaining('/view/') },
          },
        ],
      },
    ]);
    expect(google.tree()).toEqual([{ folder: "Field Day '26 2026-05-29", files: idsOf(photos) }]);
    expect(await statusOf(app, admin)).toMatchObject({
      connected: true,
      folder: { name: 'Volunteer photos of Maple Grove Schools' },
    });
  });

  test('skips what is in Drive already', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay();
    await sync(app, admin, [activity]);
    const added = await aStoredPhoto(app, { by: admin, activity });
    const { body } = await sync(app, admin, [activity]);
    expect(body.results).toMatchObject([{ success: true, successful: 1, skipped: 3, failed: 0 }]);
    expect(google.tree()).toMatchObject([{ files: idsOf([...photos, added]) }]);
  });

  test('sends a large picture in pieces', async () => {
    const { app, google, admin, activity } = await aFieldDay(0);
    const photo = await aStoredPhoto(app, { by: admin, activity, bytes: 6_000_001 });
    const { body } = await sync(app, admin, [activity]);
    expect(body.results).toMatchObject([{ success: true, successful: 1 }]);
    const stored = [...google.state.files.values()].find(
      (file) => file.appProperties['photo'] === String(photo.id),
    );
    expect(stored).toMatchObject({
      name: 'IMG_0001.jpg',
      mimeType: 'image/jpeg',
      size: 6_000_001,
      sha256: photo.sha256,
    });
    expect(google.requests.filter(({ step }) => step === 'sendPiece')).toHaveLength(6);
  });
});
