import { Upload } from 'lucide-react';

type FileButtonProps = {
  children: string;
  /** The accepted file types, such as '.csv'. */
  accept: string;
  onChoose: (file: File) => void;
};

/** A button that opens the file picker. */
export function FileButton({ children, accept, onChoose }: FileButtonProps) {
  return (
    <label className="relative inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-xl border border-field bg-card px-4 font-medium transition-colors select-none hover:bg-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand">
      <Upload aria-hidden="true" className="size-5" />
      {children}
      <input
        type="file"
        accept={accept}
        className="absolute -inset-px cursor-pointer opacity-0"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // Lets the user choose the same file again after correcting it.
          event.currentTarget.value = '';
          if (file !== undefined) onChoose(file);
        }}
      />
    </label>
  );
}
