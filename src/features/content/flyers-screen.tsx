import { useTranslation } from 'react-i18next'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { FlyerList } from './components/flyer-list.tsx'

export function FlyersScreen() {
  const { t } = useTranslation(['reading', 'shell'])
  return (
    <>
      <ScreenHeader title={t('shell:title.flyers')} lead={t('flyers.lead')} />
      <FlyerList type="Flyer" />
    </>
  )
}
