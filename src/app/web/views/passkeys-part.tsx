import './second-proof-texts.ts';

/** One's passkeys in Account Settings, with their texts. */
export { Passkeys } from '#rooms/second-proof/web/passkeys.tsx';
