declare module 'heic-decode' {
  type Pixels = Readonly<{ width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }>;
  type Picture = Readonly<{ width: number; height: number; decode: () => Promise<Pixels> }>;
  /** Every image of a HEIC file, not decoded yet; `dispose` frees them. */
  const decode: Readonly<{
    all: (file: Readonly<{ buffer: Uint8Array }>) => Promise<readonly Picture[] & { dispose: () => void }>;
  }>;
  // biome-ignore lint/style/noDefaultExport: it is how the package exports them
  export default decode;
}
