import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getOfficeMoney } from '#contract/office/money.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useSeasons } from '#features/courses/resource.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { FilterSelect } from '#office/frame/components/filter-chips.tsx'
import { KeyFigures } from '#office/frame/components/key-figures.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { Text } from '#ui/layout.tsx'
import { BatchesSection } from './components/batches-section.tsx'
import { ClosingSection } from './components/closing-section.tsx'
import { HeldAmountsSection } from './components/held-section.tsx'
import { InvoicesSection } from './components/invoices-section.tsx'
import { ProofsSection } from './components/proofs-section.tsx'
import {
  CoursesToSettleSection,
  OutdatedSettlementsSection,
  SettledCoursesSection,
  UndecidedAttendanceSection,
} from './components/settle-section.tsx'

const FIGURES = ['charged', 'waived', 'refunded', 'payroll', 'invoiced', 'paid', 'open'] as const

/** Settlement, billing and payments of one season or of all seasons. */
export function MoneyScreen() {
  const { t } = useTranslation('office-money')
  const seasons = useSeasons(state => state.data)
  useEffect(() => void useSeasons.load(), [])
  const language = useLanguage()
  const [season] = useUrlParam('season')
  const reading = useResource('getOfficeMoney', { query: season === '' ? {} : { seasonId: season } })
  return (
    <OfficePage
      title={t('title')}
      lead={t('lead')}
      actions={
        <FilterSelect
          label={t('field.season')}
          name="season"
          options={seasons.map(one => ({ value: String(one.id), label: nameInLanguage(language, one) }))}
        />
      }
    >
      {reading.data === null ? <LoadingState reading={reading} /> : <Parts money={reading.data} seasonId={season} />}
      <ClosingSection seasonId={season} />
      <BatchesSection />
      <InvoicesSection />
      <SettledCoursesSection seasonId={season} />
    </OfficePage>
  )
}

function Parts({ money, seasonId }: { money: ResponseOf<typeof getOfficeMoney>; seasonId: string }) {
  const { t } = useTranslation('office-money')
  const { totals, toSettle, outdated, undecided, proofs, held } = money
  const isDone = [toSettle, outdated, undecided, held].every(list => list.length === 0) && proofs.open === 0
  return (
    <>
      <KeyFigures
        label={t('total.title')}
        isMoney
        figures={FIGURES.map(key => ({ key, value: formatMoney(totals[key]), label: t(`total.${key}`) }))}
      />
      {isDone && (
        <Text tone="muted" flush>
          {t('nothingToDo')}
        </Text>
      )}
      <CoursesToSettleSection courses={toSettle} />
      <OutdatedSettlementsSection courses={outdated} />
      <UndecidedAttendanceSection courses={undecided} />
      <ProofsSection count={proofs.open} />
      <HeldAmountsSection held={held} seasonId={seasonId} />
    </>
  )
}
