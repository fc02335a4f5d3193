import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { useSearchCriteria } from './search-criteria-store.ts'

/** Lists the misspelled words of the query with their corrections. */
export function SearchCorrections({ corrected }: { corrected: readonly { raw: string; word: string }[] }) {
  const { t } = useTranslation('courses')
  const { change } = useSearchCriteria.getState()
  return (
    <>
      {corrected.map(({ raw, word }) => (
        <Text key={raw} flush>
          {t('list.meant')}{' '}
          <Button
            look="text"
            onClick={() => change({ text: useSearchCriteria.getState().criteria.text.replace(raw, word) })}
          >
            {word}
          </Button>
        </Text>
      ))}
    </>
  )
}
