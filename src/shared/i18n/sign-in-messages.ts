import auth from '#features/auth/messages.en.json' with { type: 'json' };
import twoFactor from '#features/auth/two-factor/messages.en.json' with { type: 'json' };
import district from '#features/schools/district-settings/messages.en.json' with { type: 'json' };
import schools from '#features/schools/messages.en.json' with { type: 'json' };
import users from '#features/users/messages.en.json' with { type: 'json' };
import web from '#web/messages.en.json' with { type: 'json' };
import webShared from '#web/messages.shared.en.json' with { type: 'json' };
import base from '../messages.en.json' with { type: 'json' };

/** Messages of the first page: sign-in, and the pages that emailed links open. */
export const signIn = {
  shared: base,
  web: { ...web, ...webShared },
  'district-settings': district,
  schools,
  auth,
  'two-factor': twoFactor,
  users,
} as const;
