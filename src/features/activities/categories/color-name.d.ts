declare module 'color-name' {
  /** The names of CSS colours, in lower case, with red, green and blue. */
  const colors: Readonly<Record<string, readonly [number, number, number]>>;
  // biome-ignore lint/style/noDefaultExport: it is how the package exports them
  export default colors;
}
