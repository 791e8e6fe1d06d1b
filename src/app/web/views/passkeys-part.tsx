/** One's authenticator app and passkeys in Account Settings, with their texts. */
export { Passkeys } from '#rooms/second-proof/web/passkeys.tsx';
export { SecondProof } from '#rooms/second-proof/web/second-proof-section.tsx';
