/** The product's logo, a clock whose hands form a check mark; or a school's own image. */
export function Logo({ src, size = 'header' }: { src?: string | null; size?: 'header' | 'card' | 'row' }) {
  const box = BOXES[size];
  if (src !== undefined && src !== null) {
    return <img src={src} alt="" width={40} height={40} className={`${box} ${PICTURE}`} />;
  }
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className={`${box} shrink-0`}>
      <rect width="40" height="40" rx="11" className="fill-brand" />
      <circle cx="20" cy="20" r="11.5" fill="none" strokeWidth="2.5" className="stroke-on-brand" />
      <path
        d="M15 20.4l3.7 3.7 6.6-8"
        fill="none"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-brand"
      />
    </svg>
  );
}

type DistrictLogoProps = {
  district:
    | Readonly<{
        districtName: string;
        logo?: Readonly<{ url: string; width: number; height: number }> | undefined;
      }>
    | undefined;
  size?: 'header' | 'card';
};

/** The district's logo at its own aspect ratio, within bounds; the product's if it has none. */
export function DistrictLogo({ district, size = 'header' }: DistrictLogoProps) {
  if (district?.logo === undefined) return <Logo size={size} />;
  const { url, ...pixels } = district.logo;
  return <img src={url} alt={district.districtName} {...pixels} className={`${WIDE[size]} ${PICTURE}`} />;
}

// On white in the dark theme too, because many logos are dark on a transparent background.
const PICTURE = 'shrink-0 bg-[white] object-contain';

const WIDE = {
  card: 'h-14 w-auto max-w-full rounded-xl',
  header: 'h-[40px] w-auto max-w-16 rounded-xl sm:max-w-24',
} as const;

const BOXES = {
  card: 'size-14 rounded-xl',
  header: 'size-[40px] rounded-xl',
  row: 'size-7 rounded-md',
} as const;
