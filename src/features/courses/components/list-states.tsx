import { useTranslation } from 'react-i18next'
import { Stack } from '#ui/layout.tsx'
import skeleton from '#ui/skeleton.module.css'
import { ErrorState } from '#ui/state-panel.tsx'
import { loadProgramme } from '../resource.ts'

export function CourseListSkeleton() {
  const { t } = useTranslation('courses')
  return (
    <div role="status">
      <span className="visually-hidden">{t('list.loading')}</span>
      <Stack aria-hidden gap="s" className={skeleton.rows}>
        {[0, 1, 2, 3].map(index => (
          <i key={index} />
        ))}
      </Stack>
    </div>
  )
}

export function CourseListError() {
  const { t } = useTranslation('courses')
  return <ErrorState title={t('failed.title')} text={t('failed.text')} onRetry={loadProgramme} />
}
