import type { ComponentType, ReactNode } from 'react'
import { create } from 'zustand'
import type { ActKind, SentAct } from '#contract/acts/acts.ts'
import type { ActAnswer } from '#contract/office.ts'
import { api } from '#lib/api.ts'
import { withProgress } from '#lib/progress.ts'
import { newUuid } from '#lib/uuid.ts'
import { refreshDesk } from './store.ts'

type Bare<Sent> = Sent extends SentAct ? Omit<Sent, 'actId' | 'preview' | 'reason' | 'undoable' | 'undoes'> : never
/** An act as it is prepared; the dialog adds id, reason and preview when it is sent. */
export type ActDraft<Kind extends ActKind = ActKind> = Bare<Extract<SentAct, { kind: Kind }>>

type Begun<Act> = Act extends ActDraft ? Pick<Act, 'kind'> & Partial<Act> : never
/** Initial state of an act's dialog; required fields may be missing. */
export type InitialActDraft<Kind extends ActKind = ActKind> = Begun<ActDraft<Kind>>

/** A labelled value that the user saw before changing it. */
export type ActFact = {
  label: string
  value: string
  /** the act's field that changes the value, and how to format its values */
  name?: string
  say?: (value: unknown) => string
}

export type ActRequest<Kind extends ActKind = ActKind> = {
  /** the act with its fields; includes the record's `version`, and `quiet: false` where notifications are optional */
  act: InitialActDraft<Kind>
  /** the same act on further records, performed in sequence */
  others?: readonly InitialActDraft<Kind>[]
  /** title: 'Termin ausfallen lassen' */
  title: string
  /** subject of the act, such as 'Yoga am Morgen, Mo 23.11., 18:00' */
  about?: string
  /** label of the submit button; the title by default. The number of notified people is appended */
  confirm?: string
  /** widens the dialog for large forms such as that of a course */
  isWide?: boolean
  /** form inside the dialog; the preview follows its input */
  form?(fields: { act: InitialActDraft<Kind>; change(fields: Partial<ActDraft<Kind>>): void }): ReactNode
  /** labels of missing fields, shown beside the button; disables the preview */
  missing?(act: InitialActDraft<Kind>): string[]
  /** component with details of a successful preview, above the people who are notified */
  details?: ComponentType<ActAnswer>
  /** the record's values that the user has seen, to detect conflicts */
  facts?: readonly ActFact[]
  /** rebuilds the act from current data after a version conflict */
  again?(): Promise<ActRequest<Kind>>
  /** the act that reverts this one, if there is one */
  undo?(answer: ActAnswer, act: ActDraft<Kind>): ActRequest | null
  onDone?(answer: ActAnswer, act: ActDraft<Kind>): void
}

export type CompletedAct = {
  title: string
  about: string
  answer: ActAnswer
  undo: ActRequest | null
  actId: string
  /**
   * `performance.now()` value until which its mails are held back, so that an undo notifies nobody; 0: mails are not
   * held back
   */
  heldUntil: number
}

type ActState = {
  /** the act of the open dialog */
  asked: ActRequest | null
  /** the last completed act, until navigation */
  done: CompletedAct | null
  /** increments with each opened act: React key of its dialog */
  turn: number
}

export const useActs = create<ActState>(() => ({ asked: null, done: null, turn: 0 }))

/** Opens the preview dialog of an act. Nothing is changed before confirmation. */
export const startAct = <Kind extends ActKind>(request: ActRequest<Kind>): void =>
  useActs.setState(({ turn }) => ({ asked: request as ActRequest, done: null, turn: turn + 1 }))

export const closeAct = (): void => useActs.setState({ asked: null })
export const dismissCompletedAct = (): void => useActs.setState({ done: null })
export const showCompletedAct = (done: CompletedAct): void => useActs.setState({ asked: null, done })

/**
 * Undoes an act immediately while its mails are held back, so that nobody is notified of the act or its undo.
 * Otherwise, or if the server refuses, the inverse act is previewed as any other.
 * @param title of the completed undo
 */
export async function undoAct(done: CompletedAct, title: string): Promise<void> {
  const { undo, actId, heldUntil, about } = done
  if (!undo) return
  if (performance.now() < heldUntil) {
    useActs.setState({ done: { ...done, undo: null } })
    const body = { ...undo.act, actId: newUuid(), undoes: actId } as SentAct
    const answer = await withProgress(api.performAct({ body })).catch(() => {
      // If there is no response, the dialog opened below previews the inverse act.
      return null
    })
    if (answer?.status === 'Ok') {
      showCompletedAct({ title, about, answer, undo: null, actId, heldUntil: 0 })
      return refreshDesk()
    }
  }
  startAct(undo)
}
