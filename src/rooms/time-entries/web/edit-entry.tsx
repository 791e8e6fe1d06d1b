import { useWindowPart } from '#web/lib/use-part.ts';
import type { EditEntryDialogProps } from './edit-entry-dialog.tsx';

/** The dialog that changes an entry, loaded after the list that opens it. */
export function EditEntry(props: EditEntryDialogProps) {
  const { entry, onClose } = props;
  const part = useWindowPart('edit-entry', () => import('./edit-entry-dialog.tsx'), {
    isOpen: entry !== undefined,
    onClose,
  });
  return part === undefined ? null : <part.EditEntryDialog {...props} />;
}
