import { useTranslation } from 'react-i18next'
import { MANUAL_ENTRIES } from '#contract/acts/money.ts'
import { nameIn } from '#contract/words.ts'
import type { ActDraft, InitialActDraft } from '#features/office/act-store.ts'
import { AmountField } from '#features/office/components/amount-field.tsx'
import { useLanguage } from '#lib/use-language.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { FieldGrid } from '#ui/layout.tsx'

type Props = {
  act: InitialActDraft<'add-entry'>
  change(fields: Partial<ActDraft<'add-entry'>>): void
  /** the person's courses */
  courses: readonly { courseId: number; number: string; name: string; name2: string }[]
}

/** Fields for a manual ledger entry: kind, course and amount. */
export function LedgerEntryFields({ act, change, courses }: Props) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  return (
    <FieldGrid>
      <ChoiceField
        name="entryKind"
        label={t('kind')}
        value={act.entryKind ?? ''}
        options={MANUAL_ENTRIES.map(value => ({ value, label: t(`entry.${value}`) }))}
        onChange={entryKind => change({ entryKind })}
      />
      <ChoiceField
        name="courseId"
        label={t('field.course')}
        value={String(act.courseId ?? '')}
        options={[
          { value: '', label: t('ledger.noCourse') },
          ...courses.map(course => ({
            value: String(course.courseId),
            label: `${course.number} ${nameIn(language, course)}`,
          })),
        ]}
        onChange={value => change({ courseId: value === '' ? undefined : Number(value) })}
      />
      <AmountField
        label={t('amountInEuros')}
        hint={t(act.entryKind === 'correction' ? 'ledger.signed' : 'ledger.lowers')}
        value={act.amount}
        onChange={amount => change({ amount })}
      />
    </FieldGrid>
  )
}
