import { useTranslation } from 'react-i18next'
import { Box, Stack } from './layout.tsx'
import classes from './skeleton.module.css'

/**
 * Placeholder for rows while they are loading. While it is visible, no screen snapshot is stored
 * (`screen-snapshot.ts`).
 * @param height height of a row in px
 */
export function Skeleton({ rows = 3, height = 120 }: { rows?: number; height?: number }) {
  const { t } = useTranslation('shell')
  return (
    <Stack role="status" data-waiting gap="l" className={classes.rows} style={{ '--row': `${height}px` }}>
      <span className="visually-hidden">{t('loading')}</span>
      {[...Array(rows).keys()].map(row => (
        <i key={row} />
      ))}
    </Stack>
  )
}

/**
 * Placeholder with the height of the window, so that the content below it stays out of view until the rows are loaded.
 */
export const TallSkeleton = () => (
  <Box fullHeight>
    <Skeleton />
  </Box>
)
