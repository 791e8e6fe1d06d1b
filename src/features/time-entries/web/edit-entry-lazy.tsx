import { lazyDialog } from '#web/ui/lazy-screen.tsx';
import type { EditEntryDialogProps } from './edit-entry-dialog.tsx';

const Loaded = lazyDialog<EditEntryDialogProps & { isOpen: boolean }>(
  async () => (await import('./edit-entry-dialog.tsx')).EditEntryDialog,
);

/** The dialog that edits an entry, loaded after the list that opens it. */
export function EditEntry(props: EditEntryDialogProps) {
  return <Loaded {...props} isOpen={props.entry !== undefined} />;
}
