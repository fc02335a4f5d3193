import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'

/** Calls of signed-in people from other addresses, before any from PUBLIC_URL, that show a wrong PUBLIC_URL. */
const ENOUGH = 3

/** This machine: a tunnel, or the portal tried before it has a name. */
const isLoopback = (origin: string) => /^https?:\/\/(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(origin)

export type PublicAddressCheck = {
  /** @param origin `Origin` header of a call with a session, which no page of another site can send */
  note(origin: string | undefined): void
  isWrong(): boolean
}

/** Detects that people open the portal at another address than PUBLIC_URL; logs it once. */
export function createPublicAddressCheck({ publicUrl }: Pick<Config, 'publicUrl'>, log: Logger): PublicAddressCheck {
  const own = new URL(publicUrl).origin
  let others = 0
  let isRight = false
  return {
    note(origin) {
      if (isRight || others === ENOUGH || origin === undefined || isLoopback(origin)) return
      if (origin === own) isRight = true
      else if (++others === ENOUGH)
        log.warn(
          { publicUrl, origin },
          'people open the portal at another address than PUBLIC_URL: links in mails lead elsewhere, and passkeys fail. Set PUBLIC_URL to the address that people use',
        )
    },
    isWrong: () => others === ENOUGH,
  }
}
