import { useTranslation } from 'react-i18next'
import { type BATCH_KINDS, REMINDER_LEVELS } from '#contract/acts/batches.ts'
import type { ItemOf } from '#contract/endpoint.ts'
import type { listInvoices, listOfficeProofs } from '#contract/office/money.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { FileField } from '#office/content/components/file-field.tsx'
import { startAct } from '#office/frame/act-store.ts'
import { AmountField } from '#office/frame/components/amount-field.tsx'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { addDays } from '#office/frame/model.ts'
import { formatDateTime, formatDay, toDateString } from '#office/people/people-model.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { SettlementPreview } from './settlement-preview.tsx'
import { StatementForm, StatementPreview } from './statement-import.tsx'

type NamedCourse = { courseId: number; number: string; name: string; name2: string }
type Proof = ItemOf<typeof listOfficeProofs>
type Invoice = ItemOf<typeof listInvoices>
type BatchKind = (typeof BATCH_KINDS)[number]

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

/** Actions on settlements and on what they depend on, each previewed in the action dialog. */
export function useSettlementActs() {
  const { t } = useTranslation('office-money')
  const language = useLanguage()

  const settle = (courses: readonly NamedCourse[]) =>
    startAct<'settle-courses'>({
      act: { kind: 'settle-courses', courseIds: courses.map(({ courseId }) => courseId) },
      title: t('settle.dialog', { count: courses.length }),
      about:
        courses.length > MOST_NAMED
          ? ''
          : courses.map(course => `${course.number} ${nameInLanguage(language, course)}`).join(', '),
      confirm: t('settle.confirm'),
      details: SettlementPreview,
    })
  const decideAttendance = (
    course: NamedCourse,
    { webUserId, name }: { webUserId: number; name: string },
    regular: boolean,
  ) =>
    startAct<'decide-attendance'>({
      act: { kind: 'decide-attendance', courseId: course.courseId, webUserId, regular },
      title: t(regular ? 'undecided.regular' : 'undecided.notRegular'),
      about: `${name}: ${nameInLanguage(language, course)}`,
    })
  const decideProof = ({ id, name, kind, from, to }: Proof, decision: 'accepted' | 'refused') =>
    startAct<'decide-proof'>({
      act: { kind: 'decide-proof', proofId: id, decision },
      title: t(`proof.${decision}`),
      about: `${name}: ${t(`proof.kind.${kind}`)}, ${formatDay(from)} – ${formatDay(to)}`,
      details: ProofPreview,
    })
  const acceptPayer = ({ webUserId, name }: { webUserId: number; name: string }) =>
    startAct<'accept-payer'>({
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
  return { settle, decideAttendance, decideProof, acceptPayer }
}

/** The month before a day, its month and the two after it, each 'YYYY-MM'. */
const monthsAround = (day: string) =>
  [-1, 0, 1, 2].map(shift =>
    new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + shift, 1)).toISOString().slice(0, 7),
  )

/** Number of people and sum of a batch; refunds are negative amounts. */
export function useBatchContent() {
  const { t } = useTranslation('office-money')
  return (kind: BatchKind, count: number, amount: number) =>
    kind === 'refund'
      ? t('batch.refunds', { count, amount: formatMoney(Math.abs(amount)) })
      : t('batch.content', { count, amount: formatMoney(amount) })
}

/** Actions on batches of payroll deductions, invoices or refunds: create a draft, close it, record the response. */
export function useBatchActs() {
  const { t } = useTranslation('office-money')
  const months = monthsAround(toDateString(useToday()))

  const contentOf = useBatchContent()
  const batchContent =
    (kind: BatchKind) =>
    ({ result }: { result: Record<string, unknown> }) => (
      <p>{contentOf(kind, Number(result.count), Number(result.amount))}</p>
    )
  const closeBatch = (batchId: number, kind: BatchKind) =>
    startAct<'close-batch'>({
      act: { kind: 'close-batch', batchId },
      title: t(`batch.close.${kind}`),
      about: t(`batch.name.${kind}`, { id: batchId }),
      details: answer => (
        <>
          {batchContent(kind)(answer)}
          <ClosePreview result={answer.result} />
          <p>{t('batch.closeAbout')}</p>
        </>
      ),
    })
  /** Creates a draft, then offers to close it unless it is empty. */
  const createBatch = (kind: BatchKind) =>
    startAct<'create-batch'>({
      act: { kind: 'create-batch', batchKind: kind, ...(kind === 'payroll' && { period: months[1] }) },
      title: t(`batch.create.${kind}`),
      form: ({ act, change }) =>
        kind === 'payroll' && (
          <ChoiceField
            name="period"
            label={t('batch.period')}
            value={act.period ?? ''}
            options={months.map(month => ({ value: month, label: `${month.slice(5)}/${month.slice(0, 4)}` }))}
            onChange={period => change({ period })}
          />
        ),
      details: batchContent(kind),
      onDone: ({ result }) => Number(result.count) > 0 && closeBatch(Number(result.id), kind),
    })
  const acceptBatch = (batchId: number, about: string) =>
    startAct<'answer-batch'>({
      act: { kind: 'answer-batch', batchId, all: true },
      title: t('batch.acceptAll'),
      about,
    })
  const refuseLines = (batchId: number, about: string) =>
    startAct<'answer-batch'>({
      act: { kind: 'answer-batch', batchId },
      title: t('batch.refuse'),
      about,
      form: ({ change }) => (
        <FileField
          label={t('batch.refusedFile')}
          accept=".csv,.txt,text/csv"
          onUploaded={fileId => change({ fileId })}
        />
      ),
      missing: ({ fileId }) => (fileId === undefined ? [t('batch.refusedFile')] : []),
      details: ({ result: { accepted, returned, unread } }) => (
        <>
          <p>{t('batch.answer', { accepted: Number(accepted), returned: Number(returned) })}</p>
          {Array.isArray(unread) && <p>{t('batch.unread', { names: unread.join(', ') })}</p>}
        </>
      ),
    })
  return { createBatch, closeBatch, acceptBatch, refuseLines }
}

type CloseResult = {
  transliterated?: readonly string[]
  undelivered?: readonly { number: string; name: string }[]
  outdated?: readonly { courseId: number; number: string; name: string; name2: string }[]
}

/** What closing a batch of invoices leaves out: outdated courses, and payers whom nothing reaches. */
function ClosePreview({ result }: { result: Record<string, unknown> }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const { undelivered = [], outdated = [], transliterated = [] } = result as CloseResult
  return (
    <>
      {outdated.length > 0 && (
        <p>
          {t('batch.outdated', {
            count: outdated.length,
            courses: outdated.map(course => `${course.number} ${nameInLanguage(language, course)}`).join(', '),
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

/** Actions on invoices. */
export function useInvoiceActs() {
  const { t } = useTranslation('office-money')
  const today = toDateString(useToday())

  const invoiceAbout = ({ number, name, amount }: Invoice) => `${number}, ${name}, ${formatMoney(amount)}`
  const markPaid = (invoice: Invoice) =>
    startAct<'mark-paid'>({
      act: {
        kind: 'mark-paid',
        invoiceNumber: invoice.number,
        paidOn: today,
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
  const readStatement = () =>
    startAct<'mark-paid'>({
      act: { kind: 'mark-paid' },
      title: t('invoice.statement'),
      form: StatementForm,
      missing: ({ fileId }) => (fileId === undefined ? [t('invoice.statementFile')] : []),
      details: StatementPreview,
    })
  const cancelInvoice = (invoice: Invoice) =>
    startAct<'cancel-invoice'>({
      act: { kind: 'cancel-invoice', invoiceNumber: invoice.number },
      title: t('invoice.cancel'),
      about: invoiceAbout(invoice),
    })
  const remindInvoices = (invoices: readonly Invoice[], onDone: () => void) =>
    startAct<'remind-invoices'>({
      act: {
        kind: 'remind-invoices',
        invoiceNumbers: invoices.map(({ number }) => number),
        dueOn: addDays(today, REMINDER_DAYS),
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
      about: invoices.length > MOST_NAMED ? '' : invoices.map(invoiceAbout).join('; '),
      onDone,
    })
  return { markPaid, readStatement, cancelInvoice, remindInvoices }
}
