/** The button that signs in with a passkey, with its texts. */
export { PasskeyButton } from '#rooms/users/web/passkey-button.tsx';
