declare module 'color-name' {
  /** CSS color names in lower case with their RGB values. */
  const colors: Readonly<Record<string, readonly [number, number, number]>>;
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default colors;
}
