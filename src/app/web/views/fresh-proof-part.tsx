import './volunteer-texts.ts';

/** The dialog that asks for a fresh proof, with its texts. */
export { FreshProofDialog } from '#rooms/users/web/fresh-proof-dialog.tsx';
