import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { type BATCH_KINDS, REMINDER_LEVELS } from '#contract/acts/batches.ts'
import type { ItemOf } from '#contract/endpoint.ts'
import type { listInvoices, listOfficeProofs } from '#contract/office/money.ts'
import type { ActResponse } from '#contract/office/office.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { FileField } from '#office/content/components/file-field.tsx'
import { type ActRequest, courseLabel, currentDay, currentLanguage, startAct } from '#office/frame/act-store.ts'
import { AmountField } from '#office/frame/components/amount-field.tsx'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { addDays } from '#office/frame/model.ts'
import { formatDateTime, formatDay } from '#office/people/people-model.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { SettlementPreview } from './settlement-preview.tsx'
import { StatementForm, StatementPreview } from './statement-import.tsx'

type NamedCourse = { courseId: number; number: string; name: string; name2: string }
type Proof = ItemOf<typeof listOfficeProofs>
type Invoice = ItemOf<typeof listInvoices>
type BatchKind = (typeof BATCH_KINDS)[number]

const t = i18next.getFixedT(null, 'office-money')

/** Days until the new due date that a reminder proposes. */
const REMINDER_DAYS = 10

/** Maximum number of courses named in a dialog; any others are only counted. */
const MOST_NAMED = 3

type ProofResult = {
  effect?: 'sick' | 'tooShort' | 'shift' | 'refused'
  excused?: readonly { number: string; name: string; name2: string; at: string }[]
}

/** The lessons that an accepted sick note excuses. */
function ProofPreview({ result }: { result: Record<string, unknown> }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const { effect, excused = [] } = result as ProofResult
  if (effect === 'tooShort') return <p>{t('proof.excusesNone')}</p>
  if (effect !== 'sick') return null
  return (
    <p>
      {t('proof.excuses', {
        count: excused.length,
        lessons: excused
          .map(lesson => `${lesson.number} ${nameInLanguage(language, lesson)}, ${formatDateTime(lesson.at)}`)
          .join('; '),
      })}
    </p>
  )
}

export const settle = (courses: readonly NamedCourse[]): ActRequest<'settle-courses'> => ({
  act: { kind: 'settle-courses', courseIds: courses.map(({ courseId }) => courseId) },
  title: t('settle.dialog', { count: courses.length }),
  about: courses.length > MOST_NAMED ? '' : courses.map(courseLabel).join(', '),
  confirm: t('settle.confirm'),
  details: SettlementPreview,
})

export const decideAttendance = (
  course: NamedCourse,
  { webUserId, name }: { webUserId: number; name: string },
  regular: boolean,
): ActRequest<'decide-attendance'> => ({
  act: { kind: 'decide-attendance', courseId: course.courseId, webUserId, regular },
  title: t(regular ? 'undecided.regular' : 'undecided.notRegular'),
  about: `${name}: ${nameInLanguage(currentLanguage(), course)}`,
})

export const decideProof = (
  { id, name, kind, from, to }: Proof,
  decision: 'accepted' | 'refused',
): ActRequest<'decide-proof'> => ({
  act: { kind: 'decide-proof', proofId: id, decision },
  title: t(`proof.${decision}`),
  about: `${name}: ${t(`proof.kind.${kind}`)}, ${formatDay(from)} – ${formatDay(to)}`,
  details: ProofPreview,
})

export const acceptPayer = ({ webUserId, name }: { webUserId: number; name: string }): ActRequest<'accept-payer'> => ({
  act: { kind: 'accept-payer', webUserId },
  title: t('held.act.consent'),
  about: name,
  form: ({ change }) => (
    <FileField
      label={t('held.consentFile')}
      accept=".pdf,image/*"
      onUploaded={consentFileId => change({ consentFileId })}
    />
  ),
})

/** Months relative to that of today, each 'YYYY-MM'. */
const monthsFromNow = (shifts: readonly number[]) => {
  const today = currentDay()
  return shifts.map(shift =>
    new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1 + shift, 1)).toISOString().slice(0, 7),
  )
}
const monthLabel = (month: string) => `${month.slice(5)}/${month.slice(0, 4)}`

const CONTENTS = {
  payroll: 'batch.content',
  invoice: 'batch.content',
  refund: 'batch.refunds',
  accounting: 'batch.postings',
} as const

/** Number of people or postings and sum of a batch; refunds are negative amounts. */
export const batchContent = (kind: BatchKind, count: number, amount: number) =>
  t(CONTENTS[kind], { count, amount: formatMoney(kind === 'refund' ? Math.abs(amount) : amount) })

const contentPreview =
  (kind: BatchKind) =>
  ({ result }: { result: Record<string, unknown> }) => (
    <p>{batchContent(kind, Number(result.count), Number(result.amount))}</p>
  )

export const closeBatch = (batchId: number, kind: BatchKind): ActRequest<'close-batch'> => ({
  act: { kind: 'close-batch', batchId },
  title: t(`batch.close.${kind}`),
  about: t(`batch.name.${kind}`, { id: batchId }),
  details: answer => (
    <>
      {contentPreview(kind)(answer)}
      <ClosePreview result={answer.result} />
      <p>{t('batch.closeAbout')}</p>
    </>
  ),
})

/** Creates a draft, then offers to close it unless it is empty. */
export const createBatch = (kind: BatchKind): ActRequest<'create-batch'> => ({
  act: { kind: 'create-batch', batchKind: kind, ...(kind === 'payroll' && { period: monthsFromNow([0])[0] }) },
  title: t(`batch.create.${kind}`),
  form: ({ act, change }) =>
    (kind === 'payroll' || kind === 'accounting') && (
      <ChoiceField
        name="period"
        label={t(kind === 'payroll' ? 'batch.period' : 'batch.documents')}
        value={act.period ?? ''}
        options={
          kind === 'payroll'
            ? monthsFromNow([-1, 0, 1, 2]).map(month => ({ value: month, label: monthLabel(month) }))
            : [
                { value: '', label: t('batch.untilToday') },
                ...monthsFromNow([-1, -2]).map(month => ({
                  value: month,
                  label: t('batch.until', { month: monthLabel(month) }),
                })),
              ]
        }
        onChange={period => change({ period: period || undefined })}
      />
    ),
  details: contentPreview(kind),
  onDone: ({ result }) => Number(result.count) > 0 && startAct(closeBatch(Number(result.id), kind)),
})

export const acceptBatch = (batchId: number, about: string): ActRequest<'answer-batch'> => ({
  act: { kind: 'answer-batch', batchId, all: true },
  title: t('batch.acceptAll'),
  about,
})

export const refuseLines = (batchId: number, about: string): ActRequest<'answer-batch'> => ({
  act: { kind: 'answer-batch', batchId },
  title: t('batch.refuse'),
  about,
  form: ({ change }) => (
    <FileField label={t('batch.refusedFile')} accept=".csv,.txt,text/csv" onUploaded={fileId => change({ fileId })} />
  ),
  missing: ({ fileId }) => (fileId === undefined ? [t('batch.refusedFile')] : []),
  details: ({ result: { accepted, returned, unread } }) => (
    <>
      <p>{t('batch.answer', { accepted: Number(accepted), returned: Number(returned) })}</p>
      {Array.isArray(unread) && <p>{t('batch.unread', { names: unread.join(', ') })}</p>}
    </>
  ),
})

type CloseResult = {
  transliterated?: readonly string[]
  undelivered?: readonly { number: string; name: string }[]
  outdated?: readonly { courseId: number; number: string; name: string; name2: string }[]
}

/** What closing a batch of invoices leaves out: outdated courses, and payers whom nothing reaches. */
function ClosePreview({ result }: { result: Record<string, unknown> }) {
  const { t } = useTranslation('office-money')
  const { undelivered = [], outdated = [], transliterated = [] } = result as CloseResult
  return (
    <>
      {outdated.length > 0 && (
        <p>
          {t('batch.outdated', {
            count: outdated.length,
            courses: outdated.map(courseLabel).join(', '),
          })}
        </p>
      )}
      {transliterated.length > 0 && <p>{t('batch.transliterated', { texts: transliterated.join(', ') })}</p>}
      {undelivered.length > 0 && (
        <p>
          {t('batch.undelivered', { names: undelivered.map(({ number, name }) => `${name} (${number})`).join(', ') })}
        </p>
      )}
    </>
  )
}

const invoiceAbout = ({ number, name, amount }: Invoice) => `${number}, ${name}, ${formatMoney(amount)}`
export const markPaid = (invoice: Invoice): ActRequest<'mark-paid'> => ({
  act: {
    kind: 'mark-paid',
    invoiceNumber: invoice.number,
    paidOn: currentDay(),
    amount: Math.round((invoice.amount - invoice.paid) * 100) / 100,
  },
  title: t('invoice.markPaid'),
  about: invoiceAbout(invoice),
  form: ({ act, change }) => (
    <>
      <DateTimeField
        kind="date"
        label={t('invoice.paidOn')}
        required
        value={act.paidOn ?? ''}
        onChange={paidOn => change({ paidOn })}
      />
      <AmountField label={t('amountInEuros')} value={act.amount} onChange={amount => change({ amount })} />
    </>
  ),
  missing: ({ paidOn, amount }) => [
    ...(paidOn ? [] : [t('invoice.paidOn')]),
    ...(amount === undefined ? [t('amountInEuros')] : []),
  ],
  details: ({ result }) => <p>{t('invoice.rest', { amount: formatMoney(Number(result.open)) })}</p>,
})

export const readStatement = (): ActRequest<'mark-paid'> => ({
  act: { kind: 'mark-paid' },
  title: t('invoice.statement'),
  form: StatementForm,
  missing: ({ fileId }) => (fileId === undefined ? [t('invoice.statementFile')] : []),
  details: StatementPreview,
})

export const cancelInvoice = (invoice: Invoice): ActRequest<'cancel-invoice'> => ({
  act: { kind: 'cancel-invoice', invoiceNumber: invoice.number },
  title: t('invoice.cancel'),
  about: invoiceAbout(invoice),
})

/** Invoices of which nobody is reminded, because a credit covers them. */
function UnsentReminders({ result }: ActResponse) {
  const { credited = [] } = result as { credited?: string[] }
  if (credited.length === 0) return null
  return <p>{t('invoice.credited', { count: credited.length, numbers: credited.join(', ') })}</p>
}

export const remindInvoices = (invoices: readonly Invoice[], onDone: () => void): ActRequest<'remind-invoices'> => ({
  act: {
    kind: 'remind-invoices',
    invoiceNumbers: invoices.map(({ number }) => number),
    dueOn: addDays(currentDay(), REMINDER_DAYS),
  },
  form: ({ act, change }) => (
    <>
      <ChoiceField
        name="level"
        label={t('invoice.level')}
        value={act.level === undefined ? 'next' : `${act.level}`}
        options={[
          { value: 'next', label: t('invoice.levelNext') },
          ...REMINDER_LEVELS.map(level => ({ value: `${level}`, label: t(`invoice.levelOf.${level}`) })),
        ]}
        onChange={value => change({ level: REMINDER_LEVELS.find(level => `${level}` === value) })}
      />
      <DateTimeField
        kind="date"
        label={t('invoice.newDueOn')}
        required
        value={act.dueOn ?? ''}
        onChange={dueOn => change({ dueOn })}
      />
    </>
  ),
  missing: ({ dueOn }) => (dueOn ? [] : [t('invoice.newDueOn')]),
  title: t('invoice.remind', { count: invoices.length }),
  details: UnsentReminders,
  about: invoices.length > MOST_NAMED ? '' : invoices.map(invoiceAbout).join('; '),
  onDone,
})
