import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { STATEMENT_EXTENSIONS } from '#contract/office/content.ts'
import type { ActResponse } from '#contract/office/office.ts'
import { formatMoney } from '#contract/words.ts'
import { FileField } from '#office/content/components/file-field.tsx'
import type { ActDraft, InitialActDraft } from '#office/frame/act-store.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { formatDay } from '#office/people/people-model.ts'
import { CheckField } from '#ui/check-field.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { ActionLink, Stack, Text } from '#ui/layout.tsx'
import {
  type AssignableCsv,
  IGNORED_TURNOVERS,
  parseAssignableCsv,
  parseBankStatementPreview,
  type StatementLine,
} from '../model.ts'
import classes from './money.module.css'

type FormProps = {
  act: InitialActDraft<'mark-paid'>
  change(fields: Partial<ActDraft<'mark-paid'>>): void
  answer?: ActResponse | null
}

const COLUMNS = ['day', 'amount', 'text', 'payer'] as const

/** Form of a bank statement import: the file, the columns of an unknown CSV layout, and decisions on turnovers. */
export function StatementForm({ act, change, answer }: FormProps) {
  const { t } = useTranslation('office-money')
  const csv = act.fileId === undefined ? null : parseAssignableCsv(answer?.result)
  const maybe = answer?.status === 'Ok' ? parseBankStatementPreview(answer.result).maybe : []
  return (
    <Stack gap="s">
      <FileField
        label={t('invoice.statementFile')}
        accept={[...STATEMENT_EXTENSIONS, 'zip'].map(extension => `.${extension}`).join()}
        onUploaded={fileId => change({ fileId, columns: undefined, confirm: [], drop: [] })}
      />
      {csv && <ColumnFields key={act.fileId} csv={csv} onChosen={columns => change({ columns })} />}
      {maybe.map(line => (
        <Decision key={line.key} line={line} act={act} change={change} />
      ))}
    </Stack>
  )
}

type Columns = Partial<NonNullable<ActDraft<'mark-paid'>['columns']>>
type ColumnFieldsProps = { csv: AssignableCsv; onChosen(columns: ActDraft<'mark-paid'>['columns']): void }

/**
 * Assigns the columns of a CSV file. They are submitted once day, amount and text are chosen, and can be changed as long
 * as the dialog is open, or when the next file with these columns is read.
 */
function ColumnFields({ csv: { columns, rows, chosen: assigned }, onChosen }: ColumnFieldsProps) {
  const { t } = useTranslation('office-money')
  const [chosen, setChosen] = useState<Columns>(assigned ?? {})
  const [isOpen] = useState(assigned === undefined)
  const choose = (fields: Columns) => {
    const all = { ...chosen, ...fields }
    setChosen(all)
    const { day, amount, text, payer } = all
    if (day && amount && text) onChosen({ day, amount, text, ...(payer && { payer }) })
  }
  return (
    <details open={isOpen}>
      <ActionLink as="summary">{t('invoice.columns.title')}</ActionLink>
      <Stack gap="s">
        <Text size="s" flush>
          {t('invoice.columns.lead')}
        </Text>
        <CompactTable
          caption={t('invoice.columns.rows')}
          isWide
          columns={columns.map(label => ({ label }))}
          rows={rows.map((cells, index) => ({ key: index, cells }))}
        />
        {COLUMNS.map(name => (
          <ChoiceField
            key={name}
            name={name}
            label={t(`invoice.columns.${name}`)}
            required={name !== 'payer'}
            placeholder={t('invoice.columns.choose')}
            value={chosen[name] ?? ''}
            options={columns.map(column => ({ value: column, label: column }))}
            onChange={column => choose({ [name]: column })}
          />
        ))}
      </Stack>
    </details>
  )
}

/** Two exclusive checkboxes for a turnover: record it, or never ask about it again. */
function Decision({ line, act, change }: { line: StatementLine } & Omit<FormProps, 'answer'>) {
  const { t } = useTranslation('office-money')
  const { key, why, amount, paidOn, invoiceNumbers, reference, earlier } = line
  const [confirmed, dropped] = [act.confirm ?? [], act.drop ?? []]
  const decide = (field: 'confirm' | 'drop', isChosen: boolean) => {
    const others = (keys: readonly string[]) => keys.filter(one => one !== key)
    const chosen = (own: 'confirm' | 'drop', keys: readonly string[]) =>
      isChosen && field === own ? [...others(keys), key] : others(keys)
    change({ confirm: chosen('confirm', confirmed), drop: chosen('drop', dropped) })
  }
  const object = [
    invoiceNumbers.join(', ') || reference,
    amount !== null && formatMoney(amount),
    paidOn && formatDay(paidOn),
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <fieldset className={classes.decision}>
      <legend>{object}</legend>
      <Text size="s" flush>
        {t(`invoice.maybe.${why}.about`, {
          day: earlier ? formatDay(earlier.paidOn) : '',
          source: t(earlier?.byHand ? 'invoice.maybe.byHand' : 'invoice.maybe.byFile'),
        })}
      </Text>
      <CheckField
        label={t(`invoice.maybe.${why}.confirm`)}
        checked={confirmed.includes(key)}
        onChange={isChosen => decide('confirm', isChosen)}
      />
      <CheckField
        label={t(`invoice.maybe.${why}.drop`)}
        checked={dropped.includes(key)}
        onChange={isChosen => decide('drop', isChosen)}
      />
    </fieldset>
  )
}

/** The payments in a bank statement, the credits without an invoice, and the turnovers that are ignored. */
export function StatementPreview({ result }: Pick<ActResponse, 'result'>) {
  const { t } = useTranslation('office-money')
  const { paid, amount, repeated, maybe, unmatched, ignored } = parseBankStatementPreview(result)
  const open = maybe.filter(({ decision }) => decision === undefined)
  const others = IGNORED_TURNOVERS.filter(name => ignored[name].length > 0)
  return (
    <Stack gap="s">
      <Text flush>{t('invoice.statementPaid', { count: paid.length, amount: formatMoney(amount) })}</Text>
      {repeated.length > 0 && <Text flush>{t('invoice.statementRepeated', { count: repeated.length })}</Text>}
      {open.length > 0 && <Text flush>{t('invoice.statementMaybe', { count: open.length })}</Text>}
      {maybe.length > open.length && (
        <Text flush>{t('invoice.statementDecided', { count: maybe.length - open.length })}</Text>
      )}
      {unmatched.length > 0 && <Turnovers caption={t('invoice.statementUnmatched')} lines={unmatched} />}
      {others.map(name => (
        <details key={name}>
          <ActionLink as="summary">{t(`invoice.ignored.${name}`, { count: ignored[name].length })}</ActionLink>
          <Turnovers caption={t(`invoice.ignored.${name}`, { count: ignored[name].length })} lines={ignored[name]} />
        </details>
      ))}
    </Stack>
  )
}

/** What banks write where the payer has given no reference. */
const NO_REFERENCE = /(?:EREF\+)?\bNOTPROVIDED\b ?/g

/** Where an unreadable turnover is in the file. */
function usePlaceText(): (place: StatementLine['place']) => string {
  const { t } = useTranslation('office-money')
  return ({ file, line, entry }) =>
    [
      file,
      line !== undefined && t('invoice.place.line', { number: line }),
      entry !== undefined && t('invoice.place.entry', { number: entry }),
    ]
      .filter(Boolean)
      .join(', ')
}

/** Turnovers in two columns, because a third one leaves too little room for the text on a phone. */
function Turnovers({ caption, lines }: { caption: string; lines: readonly StatementLine[] }) {
  const { t } = useTranslation('office-money')
  const placeText = usePlaceText()
  return (
    <CompactTable
      caption={caption}
      columns={[{ label: t('invoice.payerAndText') }, { label: t('amount'), isNumber: true }]}
      rows={lines.map(({ paidOn, amount, currency, why, payer, text, place }, index) => ({
        key: index,
        cells: [
          <span key="text" className={classes.turnover}>
            {[
              placeText(place),
              paidOn && formatDay(paidOn),
              why && t(`invoice.unmatched.${why}`),
              payer,
              text.replace(NO_REFERENCE, ''),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>,
          amount === null ? '–' : formatMoney(amount).replace('€', currency ?? '€'),
        ],
      }))}
    />
  )
}
