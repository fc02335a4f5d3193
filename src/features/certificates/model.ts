import { compactVerify, createLocalJWKSet, errors } from 'jose'
import { CERTIFICATE_SIGNATURE_ALGORITHM, type CertificateClaims } from '#contract/endpoints/certificates.ts'

export type CertificatePublicKeys = Parameters<typeof createLocalJWKSet>[0]

/**
 * `genuine`: signed by the portal; `unknownKey`: signed with a key that is not among `keys`, which may be outdated;
 * `unsupported`: this browser does not support Ed25519
 */
export type CertificateVerification =
  | { verdict: 'genuine'; claims: CertificateClaims }
  | { verdict: 'forged' | 'unknownKey' | 'unsupported' }

/** Verifies a certificate on the device. @param jws compact JWS */
export async function verifyCertificate(jws: string, keys: CertificatePublicKeys): Promise<CertificateVerification> {
  try {
    const { payload } = await compactVerify(jws, createLocalJWKSet(keys), {
      algorithms: [CERTIFICATE_SIGNATURE_ALGORITHM],
    })
    // Not validated further, because the portal signs nothing else with these keys.
    const claims: CertificateClaims = JSON.parse(new TextDecoder().decode(payload))
    return { verdict: 'genuine', claims }
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return { verdict: 'unknownKey' }
    const isUnsupported = error instanceof DOMException && error.name === 'NotSupportedError'
    return { verdict: isUnsupported ? 'unsupported' : 'forged' }
  }
}
