import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { IconX } from '#components/shell-icons.ts'
import { forgetDone, undoAct, useActs } from '../act-store.ts'
import { ConsequencesLine } from './consequences-line.tsx'

/** Last completed act, people to be called, and undo. The element always exists, as a live region. */
export function DoneBar() {
  const { t } = useTranslation('office')
  const done = useActs(state => state.done)
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
          {done.undo && (
            <>
              {done.answer.consequences.mails > 0 && <HeldMails key={done.actId} until={done.heldUntil} />}
              <Button look="plain" isPill onClick={() => void undoAct(done, t('done.undone'))}>
                {t('done.undo')}
              </Button>
            </>
          )}
          <button type="button" className={piece('round')} aria-label={t('done.close')} onClick={forgetDone}>
            <IconX />
          </button>
        </section>
      )}
    </div>
  )
}

/** Seconds for which the mails still wait; not read aloud each second. */
function HeldMails({ until }: { until: number }) {
  const { t } = useTranslation('office')
  const [now, setNow] = useState(() => performance.now())
  const seconds = Math.ceil((until - now) / 1000)
  const isHeld = seconds > 0
  useEffect(() => {
    if (!isHeld) return
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [isHeld])
  return (
    isHeld && (
      <span className={piece('small')} aria-hidden>
        {t('done.held', { seconds })}
      </span>
    )
  )
}
