import { X } from 'lucide-react';
import { IconButton } from '../button.tsx';
import { TextArea } from '../text-area.tsx';

type ListFileFieldProps = {
  /** A description of the chosen file, and the name of the button that removes it. */
  file: { text: string; removeLabel: string } | undefined;
  pasteLabel: string;
  pasted: string;
  /** Maximum number of pasted characters. */
  max: number;
  onPaste: (text: string) => void;
  onRemove: () => void;
};

/** The chosen file of a list or, without one, a field to paste the list into. */
export function ListFileField({ file, pasteLabel, pasted, max, onPaste, onRemove }: ListFileFieldProps) {
  if (file === undefined)
    return <TextArea name="csv" label={pasteLabel} value={pasted} onChange={onPaste} max={max} isTall />;
  return (
    <div className="flex items-center gap-2 rounded-xl bg-wash py-1 pr-1 pl-4" role="status">
      <p className="min-w-0 grow font-medium wrap-anywhere">{file.text}</p>
      <IconButton
        label={file.removeLabel}
        icon={<X aria-hidden="true" className="size-5" />}
        onPress={onRemove}
      />
    </div>
  );
}
