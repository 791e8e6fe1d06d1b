/** The thanks for a milestone, with their texts: loaded after the first screen. */
export { Thanks } from '#rooms/goals/web/thanks.tsx';
