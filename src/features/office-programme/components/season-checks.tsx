import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import { NeedGroup, NeedLine } from '#features/office/components/needs.tsx'
import { RecordLink } from '#features/office/components/record-link.tsx'
import { useResource } from '#lib/resource.ts'

const KINDS = ['withoutLessons', 'fewerLessons', 'clash', 'withoutInstructor', 'withoutPlace'] as const

/** Courses of a draft season that need a look before it is published, as after copying. */
export function SeasonChecks({ seasonId }: { seasonId: number }) {
  const { t } = useTranslation('office-programme')
  const items = useResource('listSeasonChecks', { query: { seasonId } }).data?.items ?? []
  if (items.length === 0) return null
  return (
    <section className={piece('stack', 'close')} aria-labelledby="season-checks">
      <h2 id="season-checks" className={piece('title', 'flush')}>
        {t('checks.title', { count: items.length })}
      </h2>
      <div className={piece('frame')}>
        {KINDS.map(kind => (
          <NeedGroup key={kind} title={t(`checks.${kind}`)}>
            {items
              .filter(({ kinds }) => kinds.includes(kind))
              .map(({ courseId, name, lessons, before, clashes, other }) => (
                <NeedLine
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
          </NeedGroup>
        ))}
      </div>
    </section>
  )
}
