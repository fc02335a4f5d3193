/** The tags of the copies that the caller has (If-None-Match), without quotes. A proxy that compresses may have weakened them. */
export const knownTags = (request: Request): string[] =>
  (request.headers.get('If-None-Match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
