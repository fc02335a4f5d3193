import type { TFunction } from 'i18next'
import { clashText } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import type { ListedCourse } from '../model.ts'
import { useClashes } from '../resource.ts'

type Props = { course: ListedCourse; t: TFunction<'courses'>; className: string | undefined }

/** The user's own courses that overlap this one, as list items. */
export function ClashTags({ course, t, className }: Props) {
  const language = useLanguage()
  return useClashes(course).map(clash => (
    <li key={clash.course.id} className={className}>
      {clashText(clash, (key, values) => t(`clash.${key}`, values), language)}
    </li>
  ))
}
