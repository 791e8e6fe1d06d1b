/** The service letters of others with their texts. */
export { AdminLetters } from '#rooms/letters/web/admin-letters.tsx';
