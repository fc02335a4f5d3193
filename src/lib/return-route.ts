/** The way to the login screen that leads back to `route` after the login. */
export const loginRoute = (route: string): string => `/login?from=${encodeURIComponent(route)}`

/** Where to go after the login: the route asked for, never another site; otherwise the root. */
export function returnRoute(search: string): string {
  const from = new URLSearchParams(search).get('from') ?? ''
  return /^\/(?![/\\])/.test(from) ? from : '/'
}
