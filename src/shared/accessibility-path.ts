/** The path of the accessibility page, served by the operations feature. Every screen links to it. */
export const ACCESSIBILITY_PATH = '/accessibility';
