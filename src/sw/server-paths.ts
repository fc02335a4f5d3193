/**
 * Addresses that only the server answers. Workbox matches these patterns against the path and the query, so the end of
 * a path is also the start of a query.
 */
export const SERVER_PATHS = [
  /^\/embed(?:\?|$)/,
  /^\/(?:api|content|photos|thumbnails|\.well-known)\//,
  /^[^?]*\.(?:txt|xml)(?:\?|$)/,
]
