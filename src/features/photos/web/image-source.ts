import { type Photo, SIZES } from '../contract.ts';

/** Height in pixels of the controls above and below the large photo. */
const AROUND_PX = 160;

/** The `<img>` attributes of the large photo: the browser picks the size that its screen needs. */
export function largeImageAttributes({ width, height }: Pick<Photo, 'width' | 'height'>, signedUrl: string) {
  const longest = Math.max(width, height);
  // A small photo has only one size.
  if (longest <= SIZES.screen) return { src: signedUrl };
  const widthAt = (side: number) => Math.round((width * Math.min(side, longest)) / longest);
  return {
    sizes: `min(100vw, calc(${(width / height).toFixed(3)} * (100vh - ${AROUND_PX}px)))`,
    srcSet: `${signedUrl}&side=${SIZES.screen} ${widthAt(SIZES.screen)}w, ${signedUrl} ${widthAt(SIZES.view)}w`,
    src: signedUrl,
  };
}
