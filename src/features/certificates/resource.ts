import { api } from '#lib/api.ts'
import { resource } from '#lib/resource.ts'
import type { PublicKeys } from './model.ts'

/** Public keys of certificates, also without a network. */
export const useCertificateKeys = resource<PublicKeys>({
  of: 'everyone',
  key: 'certificate-keys',
  empty: { keys: [] },
  fetch: ({ signal }) => api.getCertificateKeys({ signal }),
  isUsable: ({ keys }) => Array.isArray(keys),
})
