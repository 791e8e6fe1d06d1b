import { type ReactNode, type Ref, useRef } from 'react';
import { Button } from './button.tsx';

type FileButtonProps = {
  text: string;
  icon: ReactNode;
  /** What the file picker accepts: types or file extensions. */
  accept: string;
  onFiles: (files: readonly File[]) => void;
  isMultiple?: boolean;
  /** Opens the camera instead of the file picker, if there is one. */
  isCamera?: boolean;
  describedBy?: string | undefined;
  buttonRef?: Ref<HTMLButtonElement>;
};

/** A button that opens the file picker. */
export function FileButton(props: FileButtonProps) {
  const { text, icon, accept, onFiles, isMultiple = false, isCamera = false, describedBy, buttonRef } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        icon={icon}
        onPress={() => input.current?.click()}
        {...(describedBy === undefined ? {} : { describedBy })}
        {...(buttonRef === undefined ? {} : { ref: buttonRef })}
      >
        {text}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={text}
        accept={accept}
        multiple={isMultiple}
        capture={isCamera ? 'environment' : undefined}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Lets the user choose the same file again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
