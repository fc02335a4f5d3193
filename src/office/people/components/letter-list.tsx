import { useTranslation } from 'react-i18next'
import type { OfficeLetter } from '#contract/office/people.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { useGrowingList } from '#office/frame/components/growing-list.tsx'
import { refetchOfficeData } from '#office/frame/store.ts'
import { Button } from '#ui/button.tsx'
import { Box, Row, Text } from '#ui/layout.tsx'
import { formatDateTime } from '../people-model.ts'

/** Number of items added as the user scrolls. */
const STEP = 50

/** List of letters to print. Downloading a letter marks it as printed. */
export function LetterList({ letters }: { letters: readonly (OfficeLetter & { name?: string })[] }) {
  const { t } = useTranslation('office-people')
  const [shown, more] = useGrowingList(letters, STEP)
  const print = async (id: number) => {
    try {
      const file = await withProgress(api.getLetter({ params: { id } }))
      saveFile(file, file.name)
      refetchOfficeData()
    } catch (error) {
      showError(errorMessageOf(error, t('office:noAnswer')))
    }
  }
  return (
    <>
      <Box as="ul" bare divided>
        {shown.map(({ id, subject, createdAt, printedAt, name }) => (
          <Row as="li" key={id} justify="between" py="s">
            <Text grow flush>
              {name && <b>{name}: </b>}
              {subject}{' '}
              <Text as="span" tone="muted" flush>
                {formatDateTime(createdAt)} ·{' '}
                {printedAt ? t('letters.printed', { at: formatDateTime(printedAt) }) : t('letters.due')}
              </Text>
            </Text>
            <Button
              look={printedAt ? 'text' : 'quiet'}
              isPill
              aria-label={t('letters.label', { subject })}
              onClick={() => print(id)}
            >
              {t('letters.print')}
            </Button>
          </Row>
        ))}
      </Box>
      {more}
    </>
  )
}
