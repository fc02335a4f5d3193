import type { SessionUser } from '#server/http/mount.ts'

/** A message is its addressee's alone. */
export const mayRead = (user: Pick<SessionUser, 'id'>, item: { webUserId: number }): boolean =>
  item.webUserId === user.id
