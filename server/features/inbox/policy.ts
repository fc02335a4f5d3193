import type { SessionUser } from '#server/http/mount.ts'

export const mayRead = (user: Pick<SessionUser, 'id'>, item: { webUserId: number }): boolean =>
  item.webUserId === user.id
