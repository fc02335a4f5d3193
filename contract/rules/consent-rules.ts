/**
 * Kinds of data that may reveal a person's health and are stored only with explicit consent (Art. 9 (2) (a) GDPR).
 * Consent for sick notes is recorded separately.
 */
export const CONSENT_KINDS = ['insurance', 'attendance'] as const
export type ConsentKind = (typeof CONSENT_KINDS)[number]

/**
 * Versions of the consent texts `consents:insurance.text` and `consents:attendance.text`, newest last. Every change to
 * a text requires a new version. Before version 2 of `insurance`, the app stated that entering the insurance number
 * implied consent.
 */
export const CONSENT_TEXT_VERSIONS = ['1', '2'] as const
export type GivenConsent = {
  kind: ConsentKind
  version: (typeof CONSENT_TEXT_VERSIONS)[number]
  givenAt: string
  withdrawnAt: string | null
}
/** Version of each consent text that the app currently shows. */
export const CURRENT_CONSENT_VERSIONS = { insurance: '2', attendance: '1' } as const satisfies Record<
  ConsentKind,
  string
>

/** Whether the user has consented to the text that the app currently shows. */
export const hasConsented = (given: readonly GivenConsent[], wanted: ConsentKind): boolean =>
  given.some(one => one.kind === wanted && one.withdrawnAt === null && one.version === CURRENT_CONSENT_VERSIONS[wanted])
