import type { MouseEvent, ReactNode, Ref } from 'react';

type Kind = 'primary' | 'quiet' | 'plain' | 'danger';

type ButtonProps = {
  children: ReactNode;
  /** One `primary` per screen; `quiet` has a border; `plain` is text only; `danger` is for destructive actions. */
  kind?: Kind;
  type?: 'button' | 'submit';
  onPress?: () => void;
  icon?: ReactNode;
  isDisabled?: boolean;
  /** Busy: it stays in place and keeps the focus, but does nothing. */
  isBusy?: boolean;
  /** Shown instead of the children while busy. */
  busyText?: string | undefined;
  isWide?: boolean;
  /** For a toggle: whether it is on. */
  isPressed?: boolean;
  isExpanded?: boolean;
  controls?: string;
  label?: string;
  /** The language of its text, if not the page's. */
  lang?: string;
  describedBy?: string;
  ref?: Ref<HTMLButtonElement>;
};

const KINDS: Record<Kind, string> = {
  primary: 'min-h-12 bg-brand px-5 text-on-brand hover:bg-brand-strong forced-colors:border',
  quiet: 'min-h-11 border border-field bg-card px-4 text-ink hover:bg-wash',
  plain: 'min-h-11 px-3 text-ink hover:bg-wash',
  danger: 'min-h-12 bg-danger px-5 text-on-danger hover:bg-danger-strong forced-colors:border',
};

const BASE =
  'inline-flex flex-wrap items-center justify-center gap-2 rounded-xl font-medium transition-colors select-none disabled:opacity-50 disabled:pointer-events-none aria-pressed:border-brand aria-pressed:bg-wash';

/** A button. Inside a form, `type="submit"` submits it. */
export function Button({
  children,
  kind = 'quiet',
  icon,
  isBusy = false,
  busyText,
  isWide = false,
  ...rest
}: ButtonProps) {
  return (
    <NativeButton className={`${BASE} ${KINDS[kind]} ${isWide ? 'w-full' : ''}`} isBusy={isBusy} {...rest}>
      {isBusy ? <Spinner /> : icon}
      <Label>{isBusy ? (busyText ?? children) : children}</Label>
    </NativeButton>
  );
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'kind' | 'icon' | 'isWide' | 'busyText'> & {
  /** Its accessible name and tooltip. */
  label: string;
  icon: ReactNode;
  /** With a border, for a button that belongs to a field. */
  isFramed?: boolean;
};

/** A button with only an icon, and an accessible name. */
export function IconButton({ icon, isFramed = false, isBusy = false, ...rest }: IconButtonProps) {
  return (
    <NativeButton
      className={`${BASE} shrink-0 ${isFramed ? 'size-[48px] border border-field bg-card hover:bg-wash' : 'size-11 text-soft hover:bg-wash hover:text-ink'}`}
      title={rest.label}
      isBusy={isBusy}
      {...rest}
    >
      {isBusy ? <Spinner /> : icon}
    </NativeButton>
  );
}

/** Looks like a link but performs an action, so it is a button. */
export function LinkButton({
  children,
  ...rest
}: Pick<
  ButtonProps,
  'children' | 'onPress' | 'isExpanded' | 'controls' | 'isDisabled' | 'label' | 'lang' | 'ref'
>) {
  return (
    <NativeButton
      className="inline-flex min-h-11 items-center rounded-lg px-1 [text-align:inherit] font-medium text-brand underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current disabled:opacity-50"
      {...rest}
    >
      {children}
    </NativeButton>
  );
}

type NativeProps = Omit<ButtonProps, 'kind' | 'icon' | 'busyText' | 'isWide'> & {
  className: string;
  title?: string;
};

function NativeButton(props: NativeProps) {
  const { children, className, type = 'button', onPress, isDisabled = false, isBusy = false, title } = props;
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (isBusy) {
      event.preventDefault();
      return;
    }
    // Safari does not focus a clicked button, so a dialog would not know where to return the focus.
    event.currentTarget.focus({ preventScroll: true });
    onPress?.();
  }
  return (
    <button
      ref={props.ref}
      type={type}
      className={className}
      title={title}
      lang={props.lang}
      disabled={isDisabled}
      aria-disabled={isBusy || undefined}
      aria-pressed={props.isPressed}
      aria-expanded={props.isExpanded}
      aria-controls={props.controls}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      onClick={press}
    >
      {children}
    </button>
  );
}

// React can replace text after a browser has translated the page only if the text is alone in its element.
function Label({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <span>{children}</span> : children;
}

/** A small spinner next to the text that describes the progress. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 shrink-0 animate-spin rounded-full border-2 border-current border-t-transparent"
    />
  );
}
