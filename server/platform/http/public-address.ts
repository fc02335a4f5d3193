import type { Logger } from 'pino'
import type { Config } from '#server/platform/config/config.ts'

/**
 * Number of authenticated requests whose origin differs from that of PUBLIC_URL after which PUBLIC_URL is considered
 * wrong. An earlier request from the origin of PUBLIC_URL ends the check.
 */
const ENOUGH = 3

/** Whether the origin is this machine, for instance through a tunnel or before the portal has a host name. */
const isLoopback = (origin: string) => /^https?:\/\/(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(origin)

export type PublicAddressCheck = {
  /**
   * Counts a request.
   * @param origin `Origin` header of an authenticated request, which pages of other sites cannot send
   */
  note(origin: string | undefined): void
  isWrong(): boolean
}

/**
 * Creates a check that detects whether people use the portal at an address other than PUBLIC_URL. This is logged once.
 */
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
