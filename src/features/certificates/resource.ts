import { api } from '#lib/api.ts'
import { resource } from '#lib/resource.ts'
import type { PublicKeys } from './model.ts'

/** Public keys for verifying certificates, cached for offline use. */
export const useCertificateKeys = resource<PublicKeys>({
  of: 'everyone',
  key: 'certificate-keys',
  empty: { keys: [] },
  fetch: ({ signal }) => api.getCertificateKeys({ signal }),
  isUsable: ({ keys }) => Array.isArray(keys),
})
