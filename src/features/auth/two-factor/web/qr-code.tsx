// The white edge that readers need, in squares.
const EDGE = 4;

type QrCodeProps = { code: Readonly<{ side: number; path: string }>; label: string };

/** A QR code: black on white in either theme, since many readers see no other. */
export function QrCode({ code: { side, path }, label }: QrCodeProps) {
  const whole = side + 2 * EDGE;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-EDGE} ${-EDGE} ${whole} ${whole}`}
      shapeRendering="crispEdges"
      className="w-full max-w-56 rounded-xl border border-line"
    >
      <rect x={-EDGE} y={-EDGE} width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
