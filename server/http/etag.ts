/** The tags of the copies that the caller has (If-None-Match), without quotes. A proxy that compresses may have weakened them. */
export const tagsOf = (ifNoneMatch: string | null | undefined): string[] =>
  (ifNoneMatch ?? '').split(',').map(tag => tag.trim().replace(/^W\//, '').replaceAll('"', ''))

export const knownTags = (request: Request): string[] => tagsOf(request.headers.get('If-None-Match'))
