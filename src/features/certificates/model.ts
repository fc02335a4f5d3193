import { compactVerify, createLocalJWKSet, errors } from 'jose'
import { CERTIFICATE_ALGORITHM, type CertificateClaims } from '#contract/certificates.ts'

export type PublicKeys = Parameters<typeof createLocalJWKSet>[0]

/**
 * `genuine`: signed by the portal; `unknownKey`: by a key that is not among these, which may be outdated;
 * `unsupported`: this browser has no Ed25519
 */
export type CertificateVerification =
  | { verdict: 'genuine'; claims: CertificateClaims }
  | { verdict: 'forged' | 'unknownKey' | 'unsupported' }

/** Verifies a certificate without the server. @param jws compact JWS */
export async function verifyCertificate(jws: string, keys: PublicKeys): Promise<CertificateVerification> {
  try {
    const { payload } = await compactVerify(jws, createLocalJWKSet(keys), { algorithms: [CERTIFICATE_ALGORITHM] })
    // Not validated further: the portal signs nothing else with these keys.
    const claims: CertificateClaims = JSON.parse(new TextDecoder().decode(payload))
    return { verdict: 'genuine', claims }
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return { verdict: 'unknownKey' }
    const isUnsupported = error instanceof DOMException && error.name === 'NotSupportedError'
    return { verdict: isUnsupported ? 'unsupported' : 'forged' }
  }
}
