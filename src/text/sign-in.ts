import base from '#base/text.en.json' with { type: 'json' };
import district from '#rooms/district/text.en.json' with { type: 'json' };
import schools from '#rooms/schools/text.en.json' with { type: 'json' };
import secondProofPasskey from '#rooms/second-proof/passkey-text.en.json' with { type: 'json' };
import secondProof from '#rooms/second-proof/text.en.json' with { type: 'json' };
import usersMailedLink from '#rooms/users/mailed-link-text.en.json' with { type: 'json' };
import usersProvider from '#rooms/users/provider-text.en.json' with { type: 'json' };
import usersSignInLink from '#rooms/users/sign-in-link-text.en.json' with { type: 'json' };
import users from '#rooms/users/text.en.json' with { type: 'json' };
import webShared from '#web/shared-text.en.json' with { type: 'json' };
import web from '#web/text.en.json' with { type: 'json' };

/** What every browser loads at the start: the sign-in, and the pages that emailed links open. */
export const signIn = {
  base,
  web: { ...web, ...webShared },
  district,
  schools,
  'second-proof': { ...secondProof, ...secondProofPasskey },
  users: { ...users, ...usersMailedLink, ...usersProvider, ...usersSignInLink },
} as const;
