/** ETags in If-None-Match, without quotes and the weakness marker, which compressing proxies add. */
export const knownTags = (request: Request): string[] =>
  (request.headers.get('If-None-Match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
