import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { call } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { getPhoto, messages, type Photo } from '../contract.ts';

type PictureProps = {
  photo: Photo;
  size: 'view' | 'thumbnail';
  /** How it lies in its box. */
  className: string;
  /** Said for it; empty where words beside it say the same. */
  alt: string;
  isLazy?: boolean;
  /** It does not say 'Preview unavailable' itself, being one of several of the same picture. */
  isQuiet?: boolean;
  onLoad?: () => void;
  /** Fresh links, where the photo itself cannot be asked for. Throws when there are none. */
  askAgain?: () => Promise<Links>;
};

type Links = Pick<Photo, 'signedUrl' | 'thumbnailSignedUrl'>;

/**
 * A photo by its link. When it cannot be loaded the link, which works for a few minutes only, is asked for once more;
 * after that 'Preview unavailable' stands in its place (specification section 8). Give it the photo's id as its key.
 */
export function Picture({
  photo,
  size,
  className,
  alt,
  isLazy = false,
  isQuiet = false,
  onLoad,
  askAgain = () => call(getPhoto, { params: { id: photo.id } }),
}: PictureProps) {
  const { say } = useText();
  // The first link is kept: the same picture under a newer one would be loaded again.
  const [source, setSource] = useState(size === 'view' ? photo.signedUrl : photo.thumbnailSignedUrl);
  const [step, setStep] = useState<'first' | 'asking' | 'again' | 'unavailable'>('first');

  async function onError() {
    if (step !== 'first') {
      setStep('unavailable');
      return;
    }
    setStep('asking');
    try {
      const fresh = await askAgain();
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
      src={source}
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
