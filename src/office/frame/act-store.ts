import i18next from 'i18next'
import type { ComponentType, ReactNode } from 'react'
import { create } from 'zustand'
import type { ActKind, SentAct } from '#contract/acts/acts.ts'
import type { ActResponse } from '#contract/office/office.ts'
import type { Language } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { serverNow } from '#lib/clock.ts'
import { startOfDayAt } from '#lib/format.ts'
import { withProgress } from '#lib/progress.ts'
import { newUuid } from '#lib/uuid.ts'
import { refetchOfficeData } from './store.ts'

type Bare<Sent> = Sent extends SentAct ? Omit<Sent, 'actId' | 'preview' | 'reason' | 'undoable' | 'undoes'> : never
/** An office action being prepared. Its dialog adds id, reason and preview flag when it sends the action. */
export type ActDraft<Kind extends ActKind = ActKind> = Bare<Extract<SentAct, { kind: Kind }>>

type Begun<Act> = Act extends ActDraft ? Pick<Act, 'kind'> & Partial<Act> : never
/** Initial state of an action's dialog; required fields may be missing. */
export type InitialActDraft<Kind extends ActKind = ActKind> = Begun<ActDraft<Kind>>

/** A labelled value that the user saw before changing it. */
export type LabelledValue = {
  label: string
  value: string
  /** the field of the action that changes this value */
  name?: string
  /** formats a value of this field for display */
  say?: (value: unknown) => string
}

export type ActRequest<Kind extends ActKind = ActKind> = {
  /**
   * the action with its fields; includes the record's `version`, and `quiet: false` if its notifications are optional
   */
  act: InitialActDraft<Kind>
  /** the same action for further records; these actions are sent one after the other */
  others?: readonly InitialActDraft<Kind>[]
  /** title such as 'Termin ausfallen lassen' */
  title: string
  /** what the action applies to, such as 'Yoga am Morgen, Mo 23.11., 18:00' */
  about?: string
  /** label of the submit button, to which the number of notified people is appended; defaults to the title */
  confirm?: string
  /** widens the dialog for large forms, such as that of a course */
  isWide?: boolean
  /** form inside the dialog; the preview (`answer`, null before the first one) is updated as the user types */
  form?(fields: {
    act: InitialActDraft<Kind>
    change(fields: Partial<ActDraft<Kind>>): void
    answer?: ActResponse | null
  }): ReactNode
  /** labels of the missing fields, shown next to the button; while there are any, no preview is requested */
  missing?(act: InitialActDraft<Kind>): string[]
  /** component that shows details of a successful preview above the list of people who will be notified */
  details?: ComponentType<ActResponse>
  /** the record's values that the user has seen, shown if there is a version conflict */
  facts?: readonly LabelledValue[]
  /** rebuilds the request from current data after a version conflict */
  again?(): Promise<ActRequest<Kind>>
  /** returns the action that reverts the completed one; null if the completed action cannot be reverted */
  undo?(answer: ActResponse, act: ActDraft<Kind>): ActRequest | null
  onDone?(answer: ActResponse, act: ActDraft<Kind>): void
}

export type CompletedAct = {
  title: string
  about: string
  answer: ActResponse
  undo: ActRequest | null
  actId: string
  /**
   * `performance.now()` value until which the action's e-mails are held back, so that undoing it notifies nobody; 0 if
   * they are not held back
   */
  heldUntil: number
}

type ActState = {
  /** the action whose dialog is open */
  asked: ActRequest | null
  /** the last completed action, until the user navigates away */
  done: CompletedAct | null
  /** incremented whenever an action is started; serves as the React key of its dialog */
  turn: number
}

export const useActs = create<ActState>(() => ({ asked: null, done: null, turn: 0 }))

/** Opens the preview dialog of an action. Nothing is changed until the user confirms. */
export const startAct = <Kind extends ActKind>(request: ActRequest<Kind>): void =>
  useActs.setState(({ turn }) => ({ asked: request as ActRequest, done: null, turn: turn + 1 }))

/**
 * Returns a function that builds the request for an action on a record.
 * @param factsOf the values that the user has seen
 * @param read reads the record again after a version conflict, from which the request is then rebuilt
 */
export const requestsOn = <Row>(factsOf: (row: Row) => readonly LabelledValue[], read: (row: Row) => Promise<Row>) =>
  function requestOn<Kind extends ActKind>(
    row: Row,
    begin: (row: Row) => Omit<ActRequest<Kind>, 'facts' | 'again'>,
  ): ActRequest<Kind> {
    return { ...begin(row), facts: factsOf(row), again: async () => requestOn(await read(row), begin) }
  }

export const closeActDialog = (): void => useActs.setState({ asked: null })
export const dismissCompletedAct = (): void => useActs.setState({ done: null })
export const showCompletedAct = (done: CompletedAct): void => useActs.setState({ asked: null, done })

/**
 * Undoes an action. While its e-mails are held back, this happens immediately, and nobody is notified of the action or
 * its undo. Otherwise, or if the server refuses, the inverse action opens its own preview dialog.
 * @param title title of the completed undo
 */
export async function undoAct(done: CompletedAct, title: string): Promise<void> {
  const { undo, actId, heldUntil, about } = done
  if (!undo) return
  if (performance.now() < heldUntil) {
    useActs.setState({ done: { ...done, undo: null } })
    const body = { ...undo.act, actId: newUuid(), undoes: actId } as SentAct
    const answer = await withProgress(api.performAct({ body })).catch(() => {
      // If the request fails, startAct opens the preview dialog of the inverse action instead.
      return null
    })
    if (answer?.status === 'Ok') {
      showCompletedAct({ title, about, answer, undo: null, actId, heldUntil: 0 })
      return refetchOfficeData()
    }
  }
  startAct(undo)
}

// Requests of actions are built outside of components, and therefore without their hooks.

export const currentLanguage = (): Language => (i18next.language === 'en' ? 'en' : 'de')

/** Today in the portal's time zone, 'YYYY-MM-DD'. */
export const currentDay = (): string => new Date(startOfDayAt(serverNow())).toISOString().slice(0, 10)

/** Number and name of a course. */
export const courseLabel = (course: { number: string; name: string; name2: string }): string =>
  `${course.number} ${nameInLanguage(currentLanguage(), course)}`
