import { useEffect } from 'react'
import type { Course } from '#contract/courses.ts'
import { plainText } from '#contract/words.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { textsOf } from '../model.ts'
import { courseSchema } from '../structured-data-model.ts'

/** What search engines read: the course and its run. */
export function StructuredData({ course }: { course: Course }) {
  const language = useLanguage()
  const { name, teaser } = textsOf(course, language)
  const schema = JSON.stringify(
    courseSchema(course, {
      name,
      description: plainText(teaser) || name,
      provider: branding.name,
      language,
      url: `${window.location.origin}/course-details/${course.id}`,
    }),
  )
  // Not by React: it makes scripts from HTML, which the page's policy refuses.
  useEffect(() => {
    const script = document.createElement('script')
    script.type = 'application/ld+json'
    script.text = schema
    document.head.append(script)
    return () => script.remove()
  }, [schema])
  return null
}
