/** The desk where hours are verified, with its texts. */
export { VerifierDesk } from '#rooms/verification/web/admin-verifier-desk.tsx';
