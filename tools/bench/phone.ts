/** Emulates a phone. */
export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2.6,
  isMobile: true,
  hasTouch: true,
  locale: 'de-DE',
}
