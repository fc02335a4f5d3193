import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getBatch } from '#contract/office/money.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { OfficeTable } from '#office/frame/components/office-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import { formatDateTime } from '#office/people/people-model.ts'
import { Text } from '#ui/layout.tsx'
import { BatchActions, useBatchName } from './components/batches-section.tsx'
import { batchContent } from './components/money-acts.tsx'
import { MoneySection } from './components/money-section.tsx'

type Batch = ResponseOf<typeof getBatch>

/** Shows the lines of a batch or the documents of an accounting file; for a draft, those that closing it would finalize. */
export function BatchScreen({ last }: { last: string }) {
  const reading = useResource('getBatch', { params: { id: Number(last) } })
  return reading.data === null ? <LoadingState reading={reading} /> : <Lines batch={reading.data} />
}

function Lines({ batch }: { batch: Batch }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const { state, lines, divisions, held, outdated, sha256, closedAt, createdAt } = batch
  const amount = lines.reduce((sum, line) => sum + line.amount * 100, 0) / 100
  return (
    <OfficePage
      title={useBatchName()(batch)}
      lead={[
        t(`batch.stateOf.${state}`, { at: formatDateTime(closedAt ?? createdAt) }),
        batchContent(batch.kind, lines.length, amount),
      ].join(' · ')}
      actions={<BatchActions batch={batch} look="quiet" />}
    >
      {outdated.length > 0 && (
        <MoneySection title={t('batch.outdatedTitle')} lead={t('batch.outdatedLead')}>
          <CompactTable
            caption={t('batch.outdatedTitle')}
            columns={[{ label: t('field.course') }]}
            rows={outdated.map(course => ({
              key: course.courseId,
              cells: [
                <Link key="course" href={`/office/money/courses/${course.courseId}`}>
                  {`${course.number} ${nameInLanguage(language, course)}`}
                </Link>,
              ],
            }))}
          />
        </MoneySection>
      )}
      {divisions.length > 0 && (
        <MoneySection title={t('batch.divisions')}>
          <CompactTable
            caption={t('batch.divisions')}
            columns={[
              { label: t('batch.division') },
              { label: t('batch.payers'), isNumber: true },
              { label: t('amount'), isNumber: true },
            ]}
            rows={divisions.map(({ name, count, amount: sum }) => ({
              key: name,
              cells: [name || t('batch.noDivision'), count, formatMoney(sum)],
            }))}
          />
        </MoneySection>
      )}
      {held.length > 0 && (
        <MoneySection title={t('batch.held')}>
          <CompactTable
            caption={t('batch.held')}
            columns={[
              { label: t('held.why') },
              { label: t('batch.payers'), isNumber: true },
              { label: t('amount'), isNumber: true },
            ]}
            rows={held.map(({ cause, count, amount: sum }) => ({
              key: cause,
              cells: [t(`held.cause.${cause}`), count, formatMoney(sum)],
            }))}
          />
        </MoneySection>
      )}
      <BatchLines lines={lines} isPostings={batch.kind === 'accounting'} />
      {sha256 && <Text size="s">{t('batch.hash', { sha256 })}</Text>}
    </OfficePage>
  )
}

function BatchLines({ lines, isPostings }: Pick<Batch, 'lines'> & { isPostings: boolean }) {
  const { t } = useTranslation('office-money')
  return (
    <MoneySection title={t('batch.lines')}>
      <OfficeTable
        caption={t('batch.lines')}
        columns={[
          {
            key: 'name',
            label: t('field.person'),
            value: ({ name }) => name,
            show: line => (
              <RecordLink kind="people" id={line.webUserId}>
                {line.name}
              </RecordLink>
            ),
            isName: true,
          },
          {
            key: 'reference',
            label: t(isPostings ? 'batch.document' : 'batch.reference'),
            value: ({ reference }) => reference,
            isWideOnly: true,
          },
          { key: 'state', label: t('batch.state'), value: line => t(`batch.lineState.${line.state}`) },
          {
            key: 'why',
            label: t(isPostings ? 'batch.posting' : 'batch.why'),
            value: ({ why }) => why,
            fold: ({ why, reference }) => (isPostings ? `${why} ${reference}` : why),
          },
          {
            key: 'amount',
            label: t('amount'),
            value: line => line.amount,
            show: line => formatMoney(line.amount),
          },
        ]}
        rows={lines.map((line, index) => ({ ...line, index }))}
        idOf={({ index }) => index}
      />
    </MoneySection>
  )
}
