/** Data that may reveal a person's health: stored with explicit consent (Art. 9 (2) (a) GDPR). A sick note has its own. */
export const CONSENT_KINDS = ['insurance', 'attendance'] as const
export type ConsentKind = (typeof CONSENT_KINDS)[number]

/**
 * Versions of the texts `consents:insurance.text` and `consents:attendance.text`, the newest last: each change of a text needs a new
 * one. Apps before `insurance` 2 said that entering the number consents.
 */
export const CONSENT_TEXT_VERSIONS = ['1', '2'] as const
export type GivenConsent = {
  kind: ConsentKind
  version: (typeof CONSENT_TEXT_VERSIONS)[number]
  givenAt: string
  withdrawnAt: string | null
}
/** Versions that the app shows. */
export const SHOWN_VERSIONS = { insurance: '2', attendance: '1' } as const satisfies Record<ConsentKind, string>

/** Whether the user has consented to the text that the app shows. */
export const hasConsented = (given: readonly GivenConsent[], wanted: ConsentKind): boolean =>
  given.some(one => one.kind === wanted && one.withdrawnAt === null && one.version === SHOWN_VERSIONS[wanted])
