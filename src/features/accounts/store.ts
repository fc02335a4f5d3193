import { create } from 'zustand'
import { PROFILE_FIELDS, type ProfileInput } from '#contract/person.ts'
import { useSession } from '#features/session/store.ts'

const EMPTY_REGISTRATION: ProfileInput = { formOfAddress: 'Frau', title: '' }

const DRAFT_KEY = 'Registration'

/** What a page of this tab left behind; what is not of a form's kind is left out. */
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
    // A draft that was cut: the form begins empty.
    return null
  }
}

/** The passwords are stored nowhere. */
function writeDraft(input: ProfileInput): void {
  try {
    const { password: _, confirmPassword: __, ...draft } = input
    if (input === EMPTY_REGISTRATION) sessionStorage.removeItem(DRAFT_KEY)
    else sessionStorage.setItem(DRAFT_KEY, JSON.stringify(draft))
  } catch {
    // Blocked storage: what was typed lives as long as the page.
  }
}

const draft = readDraft()

type Registration = {
  input: ProfileInput
  /** the page was loaded anew: all is there but the passwords */
  isDraft: boolean
}

/** What was typed in the three steps, until it is sent, given up or the tab goes. */
export const useRegistration = create<Registration>(() => ({
  input: draft ?? EMPTY_REGISTRATION,
  isDraft: draft !== null,
}))

/** Takes what is typed in a step; a draft of it stays in the tab. */
export function changeRegistration(input: ProfileInput): void {
  useRegistration.setState({ input })
  writeDraft(input)
}

export const noteDraftSeen = (): void => useRegistration.setState({ isDraft: false })

export function forgetRegistration(): void {
  useRegistration.setState({ input: EMPTY_REGISTRATION, isDraft: false })
  writeDraft(EMPTY_REGISTRATION)
}

let isWaiting = false
/** Whoever logs in, on whichever page, needs no draft any more, and no password stays in memory. */
export function forgetAtLogin(): void {
  if (isWaiting) return
  isWaiting = true
  useSession.subscribe(({ phase }) => {
    if (phase === 'started') forgetRegistration()
  })
}
