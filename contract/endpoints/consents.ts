import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { CONSENT_KINDS, CONSENT_TEXT_VERSIONS } from '../rules/consent-rules.ts'
import { apiCallOutcome } from '../values.ts'

const kind = v.picklist(CONSENT_KINDS)
export const consentVersion = v.picklist(CONSENT_TEXT_VERSIONS)
const consent = v.object({ kind, version: consentVersion, givenAt: v.string(), withdrawnAt: v.nullable(v.string()) })

export const listConsents = endpoint('session', 'GET', '/api/consents', {
  response: v.object({ items: v.array(consent) }),
})

export const giveConsent = endpoint('session', 'PUT', '/api/consents', {
  body: v.object({ kind, version: consentVersion }),
  response: apiCallOutcome,
})

export const endConsent = endpoint('session', 'DELETE', '/api/consents/:kind', {
  params: v.object({ kind: v.string() }),
  response: apiCallOutcome,
})
