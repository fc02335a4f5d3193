import * as contract from '#contract/endpoints/certificates.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { notFound } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import { findCertificate } from './repository.ts'
import { listPublicKeys } from './service.ts'

/**
 * Mounts the endpoints for health insurers: public keys, and whether a certificate is still valid. They require no
 * session and return no names.
 */
export function mountCertificates(api: Api, context: ServerContext): void {
  const { db } = context
  const takeTurn = createRateLimit(context, 'certificates', { burst: 100, perMinute: 60 })

  api.mount(contract.getCertificateKeys, async ({ address }) => {
    await takeTurn(address)
    return listPublicKeys(db)
  })

  api.mount(contract.getCertificate, async ({ params: { code }, address }) => {
    await takeTurn(address)
    const certificate = await findCertificate(db, code)
    if (certificate === null) throw notFound()
    const { state, issued } = certificate
    return { state, issued }
  })
}
