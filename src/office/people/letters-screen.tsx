import { useTranslation } from 'react-i18next'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { EmptyState } from '#ui/state-panel.tsx'
import { LetterList } from './components/letter-list.tsx'

/** Letters to print, for people without an e-mail address. */
export function LettersScreen() {
  const { t } = useTranslation('office-people')
  const reading = useCompleteList('listLetters')
  return (
    <OfficePage title={t('letters.title')} lead={t('letters.lead')}>
      {reading.data === null ? (
        <LoadingState reading={reading} />
      ) : reading.data.length === 0 ? (
        <EmptyState title={t('letters.none')} />
      ) : (
        <LetterList letters={reading.data} />
      )}
    </OfficePage>
  )
}
