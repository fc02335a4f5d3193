export const certificateWords = {
  keys: 'The newest first; the header of a certificate names its key by `kid`',
  kty: 'Type of the key',
  crv: 'Curve of the key',
  x: 'The public key, base64url',
  kid: 'Names the key',
  alg: 'Algorithm of the signature',
  use: 'What the key is for',
  'getCertificate.code': 'The `jti` of the certificate',
  'revoke-certificate.code': 'The `jti` of the certificate',
  'getCertificate.state': '`replaced`: a later version was issued',
  issued: 'The day of the certificate: `YYYY-MM-DD`',
  'issue-certificates.webUserId': 'Only this person, whatever their status; without it everybody who has earned one',
}
