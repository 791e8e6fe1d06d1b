/** Activity Suggestions with its texts. */
export { SuggestionsDialog } from '#rooms/suggestions/web/suggestions-dialog.tsx';
