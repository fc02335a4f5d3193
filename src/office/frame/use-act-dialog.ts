import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ActResponse } from '#contract/office/office.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { newUuid } from '#lib/uuid.ts'
import { type ActDraft, type ActRequest, type InitialActDraft, showCompletedAct } from './act-store.ts'
import { mergeActAnswers, mergeWithCurrentValues } from './model.ts'
import { refetchOfficeData } from './store.ts'

/** Debounce delay of the preview while the user types, in ms. */
const TYPING_MS = 350
/**
 * How long the server holds back the e-mails of an action that can be undone, minus a margin for the request. In ms.
 */
const HELD_MS = 9_000

/**
 * Returns a function that sends or previews the actions of a request, and the id of the first action, by which an undo
 * refers to it.
 */
function useSend({ others = [], undo }: ActRequest, reason: string) {
  // Idempotency key of this dialog. Retrying after a lost response does not perform the action twice.
  const [actId] = useState(newUuid)
  const [otherIds] = useState(() => others.map(newUuid))

  const sendOne = (draft: ActDraft, id: string, preview: boolean) =>
    api.performAct({
      body: {
        ...draft,
        actId: id,
        preview,
        ...(reason && { reason }),
        ...(!preview && undo && others.length === 0 && { undoable: true }),
      },
    })

  /**
   * Sends the action, followed by the same action with the same input for each of the other records. The first error
   * stops the sequence; actions already completed are not reverted. `onSent` receives their number.
   */
  const send = async (
    draft: ActDraft,
    preview: boolean,
    onSent: (count: number) => void = () => {},
  ): Promise<ActResponse> => {
    let all = await sendOne(draft, actId, preview)
    const typed = 'quiet' in draft ? { quiet: draft.quiet } : {}
    for (const [index, other] of others.entries()) {
      if (all.status !== 'Ok') return all
      onSent(index + 1)
      all = mergeActAnswers(
        all,
        await sendOne({ ...draft, ...other, ...typed } as ActDraft, otherIds[index] ?? '', preview),
      )
    }
    return all
  }
  return { actId, send }
}

/** State of an action's dialog: input, preview and submission. */
export function useActDialog(request: ActRequest) {
  // The original request or, after a conflict, the rebuilt one.
  const [current, setCurrent] = useState(request)
  const { title, about = '', missing, again, undo, onDone } = current
  const { t } = useTranslation('office')
  const [act, setAct] = useState<InitialActDraft>(request.act)
  const [reason, setReason] = useState('')
  const [isReasonAsked, setIsReasonAsked] = useState(false)
  const [answer, setAnswer] = useState<ActResponse | null>(null)
  const [problem, setProblem] = useState('')
  const [isSending, setIsSending] = useState(false)
  const [sentCount, setSentCount] = useState(0)
  /** Whether all required fields are filled in. */
  const isWhole = (given: InitialActDraft): given is ActDraft => (missing?.(given).length ?? 0) === 0
  const ready = isWhole(act)

  const { actId, send } = useSend(current, reason.trim())
  const take = async (said: ActResponse) => {
    setAnswer(said)
    if (said.status === 'Reason') setIsReasonAsked(true)
    if (said.status !== 'Changed' || !again) return
    const fresh = await again()
    setAct(mine => mergeWithCurrentValues(mine, current.act, fresh.act))
    setCurrent(fresh)
  }

  const tries = useRef(0)
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the request to be sent changes
  useEffect(() => {
    if (!isWhole(act)) {
      setAnswer(null)
      return
    }
    tries.current += 1
    const own = tries.current
    const timer = setTimeout(
      () => {
        setProblem('')
        send(act, true)
          .then(said => (own === tries.current ? take(said) : undefined))
          .catch(error => own === tries.current && setProblem(errorMessageOf(error, t('noAnswer'))))
      },
      isFirst.current ? 0 : TYPING_MS,
    )
    isFirst.current = false
    return () => {
      clearTimeout(timer)
      tries.current += 1
    }
  }, [JSON.stringify(act), reason.trim(), ready])

  const perform = async () => {
    if (isSending || answer?.status !== 'Ok' || !isWhole(act)) return
    setIsSending(true)
    setSentCount(0)
    setProblem('')
    try {
      const said = await send(act, false, setSentCount)
      if (said.status !== 'Ok') return await take(said)
      showCompletedAct({
        title,
        about,
        answer: said,
        undo: undo?.(said, act) ?? null,
        actId,
        heldUntil: said.undoable ? performance.now() + HELD_MS : 0,
      })
      refetchOfficeData()
      onDone?.(said, act)
    } catch (error) {
      setProblem(errorMessageOf(error, t('act.lost')))
    } finally {
      setIsSending(false)
    }
  }

  return {
    current,
    act,
    change: (fields: Partial<ActDraft>) => setAct(before => ({ ...before, ...fields }) as InitialActDraft),
    reason,
    setReason,
    isReasonAsked,
    answer,
    problem,
    isReady: ready,
    missing: answer?.status === 'Reason' ? [t('act.reason')] : (missing?.(act) ?? []),
    isSending,
    /** number of the records of this request whose action is completed */
    sentCount,
    perform,
  }
}
