import { api } from '#lib/api.ts'
import { createResource } from '#lib/resource.ts'
import type { CertificatePublicKeys } from './model.ts'

/** Public keys for verifying certificates, cached for offline use. */
export const useCertificateKeys = createResource<CertificatePublicKeys>({
  of: 'everyone',
  key: 'certificate-keys',
  empty: { keys: [] },
  fetch: ({ signal }) => api.getCertificateKeys({ signal }),
  isUsable: ({ keys }) => Array.isArray(keys),
})
