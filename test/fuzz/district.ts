import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPhoto,
  aSchool,
  aSuggestion,
  PASSWORD,
} from '#test/builders.ts';
import type { TestApp } from '#test/harness.ts';
import type { Sender } from './requests.ts';
import type { Live } from './values.ts';

/** The values to use in requests, and the senders' tokens. */
export type FuzzDistrict = { live: Live; tokens: Record<Sender, string | undefined> };

/** Makes a district of two schools, with records of every kind in the first. */
export async function fuzzDistrict(app: TestApp): Promise<FuzzDistrict> {
  const [school, other] = [await aSchool(app), await aSchool(app)];
  const volunteer = await aPerson(app, { schools: [school] });
  const stranger = await aPerson(app, { schools: [other] });
  const administrator = await anAdministrator(app);
  const category = await aCategory(app, { school });
  const activity = await anActivity(app, { school, category });
  const described = await anActivity(app, { school, category, descriptionPrompt: 'what you did' });
  const entry = await anEntry(app, { by: volunteer, activity });
  const deleted = await anEntry(app, { by: volunteer, activity, deletedBy: volunteer });
  const photo = await aPhoto(app, { by: volunteer, activity });
  const deletedPhoto = await aPhoto(app, { by: volunteer, activity, deletedBy: volunteer });
  const suggestion = await aSuggestion(app, { by: volunteer, school, category });
  const records = [school, other, volunteer, stranger, category, activity, described, entry, deleted];
  return {
    live: {
      ids: [...records, photo, deletedPhoto, suggestion, { id: 999_999 }].map(({ id }) => id),
      emails: [volunteer.email, stranger.email],
      tokens: ['a'.repeat(43), volunteer.token],
      password: PASSWORD,
    },
    tokens: {
      nobody: undefined,
      forger: 'f'.repeat(43),
      volunteer: volunteer.token,
      stranger: stranger.token,
      administrator: administrator.token,
    },
  };
}

/** Replaces the senders by new people when a request has ended one of their sessions. */
export async function renewSenders(app: TestApp, district: FuzzDistrict): Promise<void> {
  for (const sender of ['volunteer', 'stranger', 'administrator'] as const) {
    const token = district.tokens[sender];
    if ((await app.call('GET /api/profile', { token })).status === 200) continue;
    const fresh = await fuzzDistrict(app);
    Object.assign(district.live, fresh.live);
    Object.assign(district.tokens, fresh.tokens);
    return;
  }
}
