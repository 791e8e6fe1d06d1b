/** The suggestions of a school with their texts. */
export { AdminSuggestions } from '#rooms/suggestions/web/admin-suggestions.tsx';
