import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'

/**
 * Number of requests by logged-in people from another address that indicate a wrong PUBLIC_URL, provided there was
 * none from PUBLIC_URL before.
 */
const ENOUGH = 3

/** Whether the origin is this machine, as with a tunnel, or before the portal has a host name. */
const isLoopback = (origin: string) => /^https?:\/\/(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(origin)

export type PublicAddressCheck = {
  /**
   * Counts a request.
   * @param origin `Origin` header of a request with a session, which no page of another site can send
   */
  note(origin: string | undefined): void
  isWrong(): boolean
}

/** Creates a check whether people open the portal at an address other than PUBLIC_URL, which is logged once. */
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
