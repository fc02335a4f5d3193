import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { IconX } from '#components/shell-icons.ts'
import { forgetDone, startAct, useActs } from '../act-store.ts'
import { ConsequencesLine } from './consequences-line.tsx'

/** Last completed act, people to be called, and undo. The element always exists, as a live region. */
export function DoneBar() {
  const { t } = useTranslation('office')
  const done = useActs(state => state.done)
  const undo = done?.undo
  return (
    <div className={piece('maybe')} role="status">
      {done && (
        <section className={piece('row', 'done', 'below')} aria-label={t('done.title')}>
          <div className={piece('grow')}>
            <p className={piece('name', 'bold', 'flush')}>
              {t('done.title')}: {[done.title, done.about].filter(Boolean).join(' · ')}
            </p>
            <ConsequencesLine consequences={done.answer.consequences} />
          </div>
          {undo && (
            <Button look="plain" isPill onClick={() => startAct(undo)}>
              {t('done.undo')}
            </Button>
          )}
          <button type="button" className={piece('round')} aria-label={t('done.close')} onClick={forgetDone}>
            <IconX />
          </button>
        </section>
      )}
    </div>
  )
}
