import '@mantine/core/styles/Input.layer.css'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { CheckField } from '#components/check-field.tsx'
import { Dialog } from '#components/dialog.tsx'
import { LongTextField } from '#components/long-text-field.tsx'
import { piece } from '#components/pieces.ts'
import type { ActAnswer } from '#contract/office.ts'
import { messageOf } from '#lib/api-error.ts'
import { newUuid } from '#lib/uuid.ts'
import { type ActRequest, actDone, closeAct, type Draft, type Opening, useActs } from '../act-store.ts'
import { performAct } from '../api.ts'
import { addAnswer, takeOver } from '../model.ts'
import { deskChanged } from '../store.ts'
import { ConsequencesLine } from './consequences-line.tsx'

/** So long somebody may type before the preview follows. */
const TYPING_MS = 350

/** The one place in which an act is previewed, asked about and done. */
export function ActDialog() {
  const asked = useActs(state => state.asked)
  // Another act is another dialog: nothing of the one before stays in it.
  const turn = useRef(0)
  const last = useRef(asked)
  if (last.current !== asked) turn.current += 1
  last.current = asked
  return asked && <AskedAct key={turn.current} request={asked} />
}

function AskedAct({ request }: { request: ActRequest }) {
  // As it was asked for, or as it is now, when somebody else was faster.
  const [current, setCurrent] = useState(request)
  const { title, about = '', confirm, others = [], isReady, again, undo, onDone } = current
  const { t } = useTranslation('office')
  // One id for this dialog: sent again after a lost answer, the act is done once.
  const [actId] = useState(newUuid)
  const [otherIds] = useState(() => others.map(newUuid))
  const [act, setAct] = useState<Opening>(request.act)
  const [reason, setReason] = useState('')
  const [isReasonAsked, setIsReasonAsked] = useState(false)
  const [answer, setAnswer] = useState<ActAnswer | null>(null)
  const [problem, setProblem] = useState('')
  const [isSending, setIsSending] = useState(false)
  /** What its form asks for is there. */
  const isWhole = (given: Opening): given is Draft => isReady?.(given) ?? true
  const ready = isWhole(act)

  const sendOne = (draft: Draft, id: string, preview: boolean) =>
    performAct({ ...draft, actId: id, preview, ...(reason.trim() && { reason: reason.trim() }) })

  /** With many, what is typed goes for all of them; the first that is not done ends it, those done stay so. */
  const send = async (draft: Draft, preview: boolean): Promise<ActAnswer> => {
    let all = await sendOne(draft, actId, preview)
    const typed = 'quiet' in draft ? { quiet: draft.quiet } : {}
    for (const [index, other] of others.entries()) {
      if (all.status !== 'Ok') return all
      all = addAnswer(all, await sendOne({ ...draft, ...other, ...typed } as Draft, otherIds[index] ?? '', preview))
    }
    return all
  }

  const take = async (said: ActAnswer) => {
    setAnswer(said)
    if (said.status === 'Reason') setIsReasonAsked(true)
    if (said.status !== 'Changed' || !again) return
    const fresh = await again()
    setAct(mine => takeOver(mine, current.act, fresh.act))
    setCurrent(fresh)
  }

  const tries = useRef(0)
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is sent decides
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
          .catch(error => own === tries.current && setProblem(messageOf(error, t('noAnswer'))))
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
    setProblem('')
    try {
      const said = await send(act, false)
      if (said.status !== 'Ok') return await take(said)
      actDone({ title, about, answer: said, undo: undo?.(said, act) ?? null })
      deskChanged()
      onDone?.(said, act)
    } catch (error) {
      setProblem(messageOf(error, t('act.lost')))
    } finally {
      setIsSending(false)
    }
  }

  const count = answer?.status === 'Ok' ? answer.consequences.told.length : 0
  const label = count > 0 ? t('act.confirmTold', { confirm, count }) : confirm
  const canAct = answer?.status === 'Ok' && !isSending
  return (
    <Dialog
      title={title}
      closeLabel={t('act.close')}
      onClose={closeAct}
      footer={
        <>
          <Button look="quiet" onClick={closeAct}>
            {t('act.cancel')}
          </Button>
          <Button look="primary" isWide aria-disabled={!canAct} onClick={perform}>
            {label}
          </Button>
        </>
      }
    >
      <div className={piece('stack')}>
        {about && <p className={piece('name', 'flush')}>{about}</p>}
        <Fields of={current} act={act} change={fields => setAct(before => ({ ...before, ...fields }) as Opening)} />
        {isReasonAsked && <Reason value={reason} onChange={setReason} />}
        {'quiet' in act && (
          <CheckField
            label={t('act.quiet')}
            checked={act.quiet === true}
            onChange={quiet => setAct({ ...act, quiet })}
          />
        )}
        <Preview answer={answer} isReady={ready} problem={problem} />
        {current !== request && <BothSides before={request} now={current} act={act} />}
      </div>
    </Dialog>
  )
}

function Reason({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation('office')
  return (
    <LongTextField
      label={t('act.reason')}
      hint={t('act.reasonHint')}
      required
      value={value}
      maxLength={1000}
      onChange={onChange}
    />
  )
}

function Preview({ answer, isReady, problem }: { answer: ActAnswer | null; isReady: boolean; problem: string }) {
  const { t } = useTranslation('office')
  const id = useId()
  let content: ReactNode = <p className={piece('muted')}>{t(isReady ? 'act.looking' : 'act.fillIn')}</p>
  if (problem) content = <p>{problem}</p>
  else if (answer?.status === 'Ok') content = <ConsequencesLine consequences={answer.consequences} />
  else if (answer) content = <p>{answer.message}</p>
  const isTrouble = problem !== '' || (answer !== null && answer.status !== 'Ok')
  return (
    <section
      className={piece(isTrouble ? 'trouble' : 'box', 'stack', 'close', 'flush')}
      aria-labelledby={id}
      aria-live="polite"
    >
      <h3 id={id} className={piece('small')}>
        {t('act.preview')}
      </h3>
      {content}
    </section>
  )
}

type FieldsProps = { of: ActRequest; act: Opening; change(fields: Partial<Draft>): void }

/** Called, not drawn as a component: what is typed stays in its place when the request is another one. */
const Fields = ({ of: { form }, ...fields }: FieldsProps) => form?.(fields)

type Sides = { before: ActRequest; now: ActRequest; act: Opening }

/** What the person had on the screen, what is true meanwhile, and what the person wants: where they differ. */
function BothSides({ before, now, act }: Sides) {
  const { t } = useTranslation('office')
  const rows = (now.facts ?? []).map(({ label, value, name, say = String }) => {
    const seen = before.facts?.find(fact => fact.label === label)?.value ?? ''
    const typed: unknown = name && Reflect.get(act, name)
    const isTyped = name !== undefined && typed !== undefined && say(typed) !== value
    return { label, seen, value, mine: isTyped ? say(typed) : '', isTyped }
  })
  const shown = rows.filter(({ seen, value, isTyped }) => seen !== value || isTyped)
  const hasMine = shown.some(({ isTyped }) => isTyped)
  return (
    <section aria-live="polite" className={piece('stack', 'close')}>
      <p className={piece('name', 'flush')}>{t(shown.length > 0 ? 'act.changed' : 'act.changedElsewhere')}</p>
      {shown.length > 0 && (
        <table className={piece('table')}>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('act.before')}</th>
              <th scope="col">{t('act.now')}</th>
              {hasMine && <th scope="col">{t('act.mine')}</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ label, seen, value, mine }) => (
              <tr key={label} className={seen === value ? '' : piece('bold')}>
                <th scope="row">{label}</th>
                <td>{seen || '–'}</td>
                <td>{value || '–'}</td>
                {hasMine && <td>{mine}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
