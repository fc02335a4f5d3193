import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { Stack } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { SubstituteRequests } from './components/substitute-requests.tsx'

/** Landing page of the link in an e-mail that asks an instructor to be a substitute. Works without a login. */
export function SubstituteScreen() {
  const { token = '' } = useParams()
  const { t } = useTranslation('attendance')
  return (
    <Stack gap="l" width="narrow">
      <ScreenHeader title={t('substitute.page')} lead={t('substitute.lead')} />
      <SubstituteRequests token={token} />
    </Stack>
  )
}
