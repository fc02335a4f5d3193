import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { api } from '#lib/api.ts'
import { useDownload } from '../use-download.ts'

/** Saves today's list for plant security, a page for each site. */
export function GateListButton() {
  const { t } = useTranslation('office')
  const download = useDownload()
  return (
    <Button look="quiet" isPill onClick={() => void download(() => api.getGateList())}>
      {t('today.gateList')}
    </Button>
  )
}
