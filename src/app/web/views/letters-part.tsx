/** One's own service letters with their texts. */
export { OwnLetters } from '#rooms/letters/web/own-letters.tsx';
