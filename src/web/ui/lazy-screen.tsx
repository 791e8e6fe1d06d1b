import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { commonMessages } from '#shared/common-messages.ts';
import { savesData, trackLoading, whenIdle } from '../api/network-idle.ts';
import { useTranslation } from '../i18n/translate.ts';
import { reloadNewest } from '../offline/reload-new-version.ts';
import { ErrorBox } from './notice.tsx';
import { SkeletonRows } from './skeleton.tsx';
import { notify } from './toasts.ts';

type LazyScreen<Props> = ComponentType<Props> & { preload: () => Promise<unknown> };

/** The placeholder of a screen until its code has loaded. `failed` is the load error with a retry button. */
export type Placeholder<Props> = (props: { given: Props; failed: ReactNode }) => ReactNode;

/**
 * A component whose code loads on first render. It never replaces its surroundings: `InPlace` is shown while loading,
 * and if loading fails because there is no connection or a server update removed the file.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  InPlace: Placeholder<Props> = Nothing,
): LazyScreen<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;

  async function get(): Promise<ComponentType<Props>> {
    if (loaded !== undefined) return loaded;
    loading ??= trackLoading(load);
    try {
      loaded = await loading;
      return loaded;
    } finally {
      loading = undefined;
    }
  }

  // A failed load is not a page error, so render something else instead of throwing.
  const attempt = (again: () => void) =>
    lazy(async () => ({
      default: await get().catch(() => (props: Props) => (
        <InPlace given={props} failed={<LoadFailed onRetry={again} />} />
      )),
    }));

  function Screen(props: Props) {
    // Renders loaded code immediately, without the placeholder.
    const [Shown, setShown] = useState<ComponentType<Props>>(() => loaded ?? attempt(again));
    function again() {
      setShown(() => attempt(again));
    }
    return (
      <Suspense fallback={<InPlace given={props} failed={undefined} />}>
        <Shown {...props} />
      </Suspense>
    );
  }
  return Object.assign(Screen, { preload: () => get().catch(() => undefined) });
}

/** Gray rows about the size of the screen that loads. */
export function rows(count: number, { isTall = false } = {}): Placeholder<object> {
  return ({ failed }) => failed ?? <SkeletonRows rows={count} isTall={isTall} />;
}

// The placeholder of screens that are optional.
function Nothing() {
  return null;
}

/** Loads code in the background that the next tap may need, unless the browser saves data. */
export function usePreload(...screens: readonly Pick<LazyScreen<never>, 'preload'>[]): void {
  const preload = useEffectEvent(() => {
    if (!savesData()) for (const screen of screens) void screen.preload();
  });
  useEffect(() => void whenIdle().then(() => preload()), []);
}

type DialogProps = { isOpen: boolean; onClose: () => void };
type NotLoadedProps = { whenNotLoaded?: () => void };

/**
 * Like `lazyScreen`, for a dialog: loads in the background of the screen that may open it. If it is opened and loading
 * fails, a notice explains that and it counts as closed.
 */
export function lazyDialog<Props extends DialogProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded = lazyScreen<Props & NotLoadedProps>(
    load,
    ({ given, failed }) => failed !== undefined && <NotOpened {...given} />,
  );
  return function LazyDialog(props: Props) {
    const { isOpen, onClose } = props;
    usePreload(Loaded);
    // It stays mounted after closing, to fade out.
    const [isThere, setIsThere] = useState(isOpen);
    if (isOpen && !isThere) setIsThere(true);
    const give = () => {
      onClose();
      setIsThere(false);
    };
    return isThere && <Loaded {...props} whenNotLoaded={give} />;
  };
}

function NotOpened({ whenNotLoaded }: NotLoadedProps) {
  const { t, say } = useTranslation();
  const giveUp = useEffectEvent(() => {
    notify.failure(say(commonMessages.networkError), {
      text: t('web:reload'),
      accept: () => void reloadNewest(),
    });
    whenNotLoaded?.();
  });
  useEffect(() => giveUp(), []);
  return null;
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const { t, say } = useTranslation();
  return (
    <ErrorBox
      text={say(commonMessages.networkError)}
      detail={t('web:partMissing')}
      onRetry={onRetry}
      onReload={() => void reloadNewest()}
    />
  );
}
