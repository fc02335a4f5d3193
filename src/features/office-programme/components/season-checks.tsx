import { useTranslation } from 'react-i18next'
import { TaskGroup, TaskLine } from '#features/office/components/needs.tsx'
import { RecordLink } from '#features/office/components/record-link.tsx'
import { useResource } from '#lib/resource.ts'
import { Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'

const KINDS = ['withoutLessons', 'fewerLessons', 'clash', 'withoutInstructor', 'withoutPlace'] as const

/** Courses of a draft season that should be reviewed before it is published, for example because it was copied. */
export function SeasonChecks({ seasonId }: { seasonId: number }) {
  const { t } = useTranslation('office-programme')
  const items = useResource('listSeasonChecks', { query: { seasonId } }).data?.items ?? []
  if (items.length === 0) return null
  return (
    <Stack as="section" gap="s" aria-labelledby="season-checks">
      <Text as="h2" id="season-checks" variant="title" flush>
        {t('checks.title', { count: items.length })}
      </Text>
      <div className={styles({ base: 'pictureFrame' })}>
        {KINDS.map(kind => (
          <TaskGroup key={kind} title={t(`checks.${kind}`)}>
            {items
              .filter(({ kinds }) => kinds.includes(kind))
              .map(({ courseId, name, lessons, before, clashes, other }) => (
                <TaskLine
                  key={courseId}
                  title={
                    <RecordLink kind="courses" id={courseId} tab="lessons">
                      {name}
                    </RecordLink>
                  }
                  text={
                    kind === 'fewerLessons'
                      ? t('checks.fewer', { lessons, before })
                      : kind === 'clash'
                        ? t('checks.clashes', { count: clashes, other })
                        : ''
                  }
                />
              ))}
          </TaskGroup>
        ))}
      </div>
    </Stack>
  )
}
