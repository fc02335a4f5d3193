/** ETags in If-None-Match, without quotes and weakness marker, which compressing proxies add. */
export const tagsOf = (ifNoneMatch: string | null | undefined): string[] =>
  (ifNoneMatch ?? '').split(',').map(tag => tag.trim().replace(/^W\//, '').replaceAll('"', ''))

export const knownTags = (request: Request): string[] => tagsOf(request.headers.get('If-None-Match'))
