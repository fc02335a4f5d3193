import type { ReactNode } from 'react'
import { create } from 'zustand'
import type { ActKind, SentAct } from '#contract/acts/acts.ts'
import type { ActAnswer } from '#contract/office.ts'

type Bare<Sent> = Sent extends SentAct ? Omit<Sent, 'actId' | 'preview' | 'reason'> : never
/** An act before it is sent: the dialog gives it an id, a reason, and its preview. */
export type Draft<Kind extends ActKind = ActKind> = Bare<Extract<SentAct, { kind: Kind }>>

type Begun<Act> = Act extends Draft ? Pick<Act, 'kind'> & Partial<Act> : never
/** An act as its dialog opens: what the form asks for is still missing. */
export type Opening<Kind extends ActKind = ActKind> = Begun<Draft<Kind>>

/** One thing that the person had on the screen, in words. */
export type Fact = {
  label: string
  value: string
  /** the field of the act that changes it, and how a value of that field is said */
  name?: string
  say?: (value: unknown) => string
}

export type ActRequest<Kind extends ActKind = ActKind> = {
  /** with its `version`, and `quiet: false` where nobody need be told */
  act: Opening<Kind>
  /** the same done to more things, one after the other, in the same dialog */
  others?: readonly Draft<Kind>[]
  /** what it is, as a heading: 'Termin ausfallen lassen' */
  title: string
  /** to what: 'Yoga am Morgen, Mo 23.11., 18:00' */
  about?: string
  /** the words of the button, where the heading does not say it; it adds how many people hear of it */
  confirm?: string
  /** fields inside the dialog; the preview follows them */
  form?(fields: { act: Opening<Kind>; change(fields: Partial<Draft<Kind>>): void }): ReactNode
  /** false while a field is missing: no preview yet */
  isReady?(act: Opening<Kind>): boolean
  /** labels of the fields that are still missing: named beside the button; no preview yet */
  missing?(act: Opening<Kind>): string[]
  /** what was read of the thing that the act names */
  facts?: readonly Fact[]
  /** the same act as it would be begun now: asked for when somebody else was faster */
  again?(): Promise<ActRequest<Kind>>
  /** the opposite act, where there is one */
  undo?(answer: ActAnswer, act: Draft<Kind>): ActRequest | null
  onDone?(answer: ActAnswer, act: Draft<Kind>): void
}

type Done = { title: string; about: string; answer: ActAnswer; undo: ActRequest | null }

type ActState = {
  /** the one that the dialog is about */
  asked: ActRequest | null
  /** the one done last, until something else is looked at */
  done: Done | null
  /** increments with each opened act: the key of its dialog */
  turn: number
}

export const useActs = create<ActState>(() => ({ asked: null, done: null, turn: 0 }))

/** Opens the dialog with the preview of an act. Nothing is done before its button is pressed. */
export const startAct = <Kind extends ActKind>(request: ActRequest<Kind>): void =>
  useActs.setState(({ turn }) => ({ asked: request as ActRequest, done: null, turn: turn + 1 }))

export const closeAct = (): void => useActs.setState({ asked: null })
export const forgetDone = (): void => useActs.setState({ done: null })
export const actDone = (done: Done): void => useActs.setState({ asked: null, done })
