import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import classes from './prompt.module.css'
import { useUpdate } from './update.ts'

export function UpdatePrompt() {
  const { t } = useTranslation('offline')
  const { isWaiting, apply, later } = useUpdate()
  return (
    <div role="status" data-fleeting>
      {isWaiting && (
        <section className={`${piece('box', 'stack', 'flush')} ${classes.prompt}`} aria-label={t('update.title')}>
          <p>
            <b>{t('update.title')}</b> {t('update.text')}
          </p>
          <div className={piece('spread')}>
            <Button look="quiet" isPill onClick={later}>
              {t('update.later')}
            </Button>
            <Button look="primary" isPill onClick={apply}>
              {t('update.apply')}
            </Button>
          </div>
        </section>
      )}
    </div>
  )
}
