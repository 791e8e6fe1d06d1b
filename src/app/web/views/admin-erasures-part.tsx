/** Requests to be deleted, and the dialog that deletes somebody, with their texts. */
export { EraseDialog } from '#rooms/own-data/web/admin-erase-dialog.tsx';
export { Erasures } from '#rooms/own-data/web/admin-erasures.tsx';
