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

/** What stands in a screen's place until its code is there. `failed` says that it did not load, and offers to try again. */
export type Waiting<Props> = (props: { given: Props; failed: ReactNode }) => ReactNode;

/**
 * A component whose code loads when it is first rendered. It never replaces what is around it: while it loads, and when
 * it cannot load because there is no signal or an update of the server removed its file, `InPlace` stands there.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  InPlace: Waiting<Props> = Nothing,
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

  // What could not load is no fault of the page: it renders something else instead.
  const attempt = (again: () => void) =>
    lazy(async () => ({
      default: await get().catch(() => (props: Props) => (
        <InPlace given={props} failed={<LoadFailed onRetry={again} />} />
      )),
    }));

  function Screen(props: Props) {
    // What is loaded already renders at once, without anything in its place.
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

/** Gray rows of about the size of the screen that loads. */
export function rows(count: number, { isTall = false } = {}): Waiting<object> {
  return ({ failed }) => failed ?? <SkeletonRows rows={count} isTall={isTall} />;
}

// For what a screen can do without.
function Nothing() {
  return null;
}

/** Loads code in the background that a next tap may need, unless data is to be saved. */
export function usePreload(...screens: readonly Pick<LazyScreen<never>, 'preload'>[]): void {
  const preload = useEffectEvent(() => {
    if (!savesData()) for (const screen of screens) void screen.preload();
  });
  useEffect(() => void whenIdle().then(() => preload()), []);
}

type DialogProps = { isOpen: boolean; onClose: () => void };
type NotLoadedProps = { whenNotLoaded?: () => void };

/**
 * The same for a dialog: its code loads in the background of the screen that may open it. If it is opened and cannot
 * load, a notice says so and it counts as closed.
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
    // It stays after it has closed, to fade out.
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
