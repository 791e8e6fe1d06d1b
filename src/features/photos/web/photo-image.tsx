import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { getPhoto, messages, type Photo, SIZES } from '../contract.ts';

type PhotoImageProps = {
  photo: Photo;
  size: 'view' | 'thumbnail';
  /** CSS classes that decide how the image fills its box. */
  className: string;
  /** The alt text; empty if visible text says the same. */
  alt: string;
  isLazy?: boolean;
  /** Hides 'Preview unavailable', because the same photo also appears elsewhere on the screen. */
  isQuiet?: boolean;
  onLoad?: () => void;
  /** Fetches new links where the viewer cannot request the photo itself. Throws if there are none. */
  refetchLinks?: () => Promise<Links>;
};

type Links = Pick<Photo, 'signedUrl' | 'thumbnailSignedUrl'>;

/**
 * A photo, loaded from its signed link. Links expire after a few minutes, so after a failure a new one is requested
 * once; if that fails too, 'Preview unavailable' is shown (specification section 8). Use the photo's id as its key.
 */
export function PhotoImage({
  photo,
  size,
  className,
  alt,
  isLazy = false,
  isQuiet = false,
  onLoad,
  refetchLinks = () => call(getPhoto, { params: { id: photo.id } }),
}: PhotoImageProps) {
  const { say } = useTranslation();
  // Uses the first link throughout, because a newer one for the same image would load it again.
  const [source, setSource] = useState(size === 'view' ? photo.signedUrl : photo.thumbnailSignedUrl);
  const [step, setStep] = useState<'first' | 'asking' | 'again' | 'unavailable'>('first');

  async function onError() {
    if (step !== 'first') {
      setStep('unavailable');
      return;
    }
    setStep('asking');
    try {
      const fresh = await refetchLinks();
      setSource(size === 'view' ? fresh.signedUrl : fresh.thumbnailSignedUrl);
      setStep('again');
    } catch {
      setStep('unavailable');
    }
  }

  if (step === 'unavailable') {
    if (isQuiet) return null;
    return (
      <span
        className={`flex flex-col items-center justify-center gap-2 bg-line p-2 text-center text-sm text-ink ${className}`}
      >
        <ImageOff aria-hidden="true" className="size-6 shrink-0" />
        {say(messages.previewUnavailable)}
      </span>
    );
  }
  if (step === 'asking') return <span aria-hidden="true" className={className} />;
  return (
    <img
      {...(size === 'view' ? largeImageAttributes(photo, source) : { src: source })}
      alt={alt}
      className={className}
      width={photo.width}
      height={photo.height}
      loading={isLazy ? 'lazy' : 'eager'}
      decoding="async"
      draggable={false}
      onLoad={onLoad}
      onError={() => void onError()}
    />
  );
}

/** Height in pixels of the controls above and below the large photo. */
const AROUND_PX = 160;

/** The `<img>` attributes of the large photo: the browser picks the size that its screen needs. */
export function largeImageAttributes({ width, height }: Pick<Photo, 'width' | 'height'>, signedUrl: string) {
  const longest = Math.max(width, height);
  // Both sizes of a small photo have the same width.
  if (longest <= SIZES.screen) return { src: signedUrl };
  const widthAt = (side: number) => Math.round((width * Math.min(side, longest)) / longest);
  return {
    sizes: `min(100vw, calc(${(width / height).toFixed(3)} * (100vh - ${AROUND_PX}px)))`,
    srcSet: `${signedUrl}&side=${SIZES.screen} ${widthAt(SIZES.screen)}w, ${signedUrl} ${widthAt(SIZES.view)}w`,
    src: signedUrl,
  };
}
