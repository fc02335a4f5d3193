import { create } from 'zustand'
import { PROFILE_FIELDS, type ProfileInput } from '#contract/tables/person.ts'
import { useSession } from '#features/session/store.ts'

const EMPTY_REGISTRATION: ProfileInput = { formOfAddress: 'Frau', title: '' }

const DRAFT_KEY = 'Registration'

/** Restores this tab's draft; unknown fields are ignored. */
function readDraft(): ProfileInput | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return null
    const fields = Object.entries(stored).filter(
      ([field, value]) =>
        PROFILE_FIELDS.some(name => name === field) && (typeof value === 'string' || typeof value === 'number'),
    )
    return { ...EMPTY_REGISTRATION, ...Object.fromEntries(fields) }
  } catch {
    // The stored draft is truncated: start with an empty form.
    return null
  }
}

/** Stores the draft without the passwords. */
function writeDraft(input: ProfileInput): void {
  try {
    const { password: _, confirmPassword: __, ...draft } = input
    if (input === EMPTY_REGISTRATION) sessionStorage.removeItem(DRAFT_KEY)
    else sessionStorage.setItem(DRAFT_KEY, JSON.stringify(draft))
  } catch {
    // Storage is blocked, so the input is available only until the page is closed or reloaded.
  }
}

const draft = readDraft()

type Registration = {
  input: ProfileInput
  /** the draft was restored after a reload and lacks only the passwords */
  isDraft: boolean
}

/** Input of the three registration steps. Kept until it is submitted or discarded, or until the tab is closed. */
export const useRegistration = create<Registration>(() => ({
  input: draft ?? EMPTY_REGISTRATION,
  isDraft: draft !== null,
}))

/** Updates the input and its draft in sessionStorage. */
export function updateRegistrationInput(input: ProfileInput): void {
  useRegistration.setState({ input })
  writeDraft(input)
}

export const dismissDraftNotice = (): void => useRegistration.setState({ isDraft: false })

export function discardRegistration(): void {
  useRegistration.setState({ input: EMPTY_REGISTRATION, isDraft: false })
  writeDraft(EMPTY_REGISTRATION)
}

let isWaiting = false
/** Every login discards the draft and removes the password from memory. */
export function discardRegistrationAtLogin(): void {
  if (isWaiting) return
  isWaiting = true
  useSession.subscribe(({ phase }) => {
    if (phase === 'started') discardRegistration()
  })
}
