import { CompactSign, exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import type { CertificateClaims } from '#contract/endpoints/certificates.ts'
import { verifyCertificate } from './model.ts'

const CLAIMS: CertificateClaims = {
  jti: 'A'.repeat(22),
  version: 1,
  issued: '2026-12-01',
  name: 'Kim Öztürk',
  course: 'Rückenfit',
  courseNumber: 'H-0301',
  institute: 'KU-BE-4711',
  firstDay: '2026-09-07',
  lastDay: '2026-11-16',
  attended: 8,
  held: 10,
  minutes: 480,
  lessonMinutes: 60,
  instructor: 'Ines Brandt',
  amount: 45,
}

async function sign(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(CLAIMS)))
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .sign(privateKey)
  return { jws, keys: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' }] } }
}

test('a certificate is genuine only with its own key, unchanged payload and expected algorithm', async () => {
  const { jws, keys } = await sign('one')
  expect(await verifyCertificate(jws, keys)).toEqual({ verdict: 'genuine', claims: CLAIMS })
  expect(await verifyCertificate(jws, (await sign('one')).keys)).toEqual({ verdict: 'forged' })
  expect(await verifyCertificate(jws, (await sign('two')).keys)).toEqual({ verdict: 'unknownKey' })
  const [header = '', , signature] = jws.split('.')
  const more = Buffer.from(JSON.stringify({ ...CLAIMS, attended: 10 })).toString('base64url')
  expect(await verifyCertificate(`${header}.${more}.${signature}`, keys)).toEqual({ verdict: 'forged' })
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'one' })).toString('base64url')
  expect(await verifyCertificate(`${none}.${more}.`, keys)).toEqual({ verdict: 'forged' })
  expect(await verifyCertificate('rubbish', keys)).toEqual({ verdict: 'forged' })
})
