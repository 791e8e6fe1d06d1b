import secondProof from '#features/auth/two-factor/messages.en.json' with { type: 'json' };
import secondProofPasskey from '#features/auth/two-factor/messages.passkeys.en.json' with { type: 'json' };
import district from '#features/schools/district-settings/messages.en.json' with { type: 'json' };
import schools from '#features/schools/messages.en.json' with { type: 'json' };
import usersMailedLink from '#features/users/messages.emailed-links.en.json' with { type: 'json' };
import users from '#features/users/messages.en.json' with { type: 'json' };
import usersSignInLink from '#features/users/messages.magic-link.en.json' with { type: 'json' };
import usersProvider from '#features/users/messages.oidc.en.json' with { type: 'json' };
import web from '#web/messages.en.json' with { type: 'json' };
import webShared from '#web/messages.shared.en.json' with { type: 'json' };
import base from '../messages.en.json' with { type: 'json' };

/** Messages of the first page: sign-in, and the pages that emailed links open. */
export const signIn = {
  shared: base,
  web: { ...web, ...webShared },
  'district-settings': district,
  schools,
  'two-factor': { ...secondProof, ...secondProofPasskey },
  users: { ...users, ...usersMailedLink, ...usersProvider, ...usersSignInLink },
} as const;
