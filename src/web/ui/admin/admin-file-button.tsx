import { Upload } from 'lucide-react';
import { readListFile } from '../../forms/read-text-file.ts';

type ListFileButtonProps = {
  children: string;
  /** Called with the text of the chosen file and its name. */
  onText: (text: string, name: string) => void;
};

/** A button that opens the file picker for a list: a spreadsheet's CSV or text file. */
export function ListFileButton({ children, onText }: ListFileButtonProps) {
  return (
    <label className="relative inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-xl border border-field bg-card px-4 font-medium transition-colors select-none hover:bg-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand">
      <Upload aria-hidden="true" className="size-5" />
      {children}
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        className="absolute -inset-px cursor-pointer opacity-0"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // Lets the user choose the same file again after correcting it.
          event.currentTarget.value = '';
          if (file !== undefined) void readListFile(file).then((text) => onText(text, file.name));
        }}
      />
    </label>
  );
}
