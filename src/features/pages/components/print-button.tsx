import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import classes from './print-button.module.css'

/** Prints the page; on paper it is missing. */
export function PrintButton() {
  const { t } = useTranslation('reading')
  return (
    <Button look="light" isPill className={classes.button} onClick={() => window.print()}>
      {t('print')}
    </Button>
  )
}
