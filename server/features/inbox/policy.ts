import type { SessionUser } from '#server/http/mount.ts'

export const canReadInboxItem = (user: Pick<SessionUser, 'id'>, item: { webUserId: number }): boolean =>
  item.webUserId === user.id
