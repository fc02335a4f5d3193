/**
 * URL that opens a feed in the calendar program. Thunderbird and others load `webcal:` over plain HTTP, which would send
 * the secret in the URL unencrypted; Apple's devices know only `webcal:` and use HTTPS if they can.
 */
export const calendarAppUrl = (url: string, userAgent: string): string =>
  /iPhone|iPad|iPod|Macintosh/.test(userAgent) ? url.replace(/^https?:/, 'webcal:') : url.replace(/^http/, 'webcal')
