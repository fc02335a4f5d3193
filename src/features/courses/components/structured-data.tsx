import { useEffect } from 'react'
import type { Course } from '#contract/courses.ts'
import { plainText } from '#contract/words.ts'
import { branding } from '#lib/branding.ts'
import { pageLoaded, retryUntilLoaded } from '#lib/lazy-load.ts'
import { useLanguage } from '#lib/use-language.ts'
import { textsOf } from '../model.ts'

/** What search engines read: the course and its run. It comes late, since no reader sees it. */
export function StructuredData({ course }: { course: Course }) {
  const language = useLanguage()
  // Not by React: it makes scripts from HTML, which the page's policy refuses.
  useEffect(() => {
    const script = document.createElement('script')
    script.type = 'application/ld+json'
    let isShown = true
    const fill = async () => {
      await pageLoaded()
      const { courseSchema } = await retryUntilLoaded(() => import('../structured-data-model.ts'))
      const { name, teaser } = textsOf(course, language)
      const schema = courseSchema(course, {
        name,
        description: plainText(teaser) || name,
        provider: branding.name,
        language,
        url: `${window.location.origin}/course-details/${course.id}`,
      })
      script.text = JSON.stringify(schema)
      if (isShown) document.head.append(script)
    }
    void fill()
    return () => {
      isShown = false
      script.remove()
    }
  }, [course, language])
  return null
}
