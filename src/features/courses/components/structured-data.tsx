import { useEffect } from 'react'
import type { Course } from '#contract/endpoints/courses.ts'
import { plainText } from '#contract/words.ts'
import { branding } from '#lib/branding.ts'
import { retryUntilLoaded, waitForPageLoad } from '#lib/lazy-load.ts'
import { useLanguage } from '#lib/use-language.ts'
import { localizedTextsOf } from '../model.ts'

/**
 * JSON-LD structured data (schema.org) about the course for search engines. Added after rendering, because users do not
 * see it.
 */
export function StructuredData({ course }: { course: Course }) {
  const language = useLanguage()
  // Not rendered by React, which would insert the script as HTML; the Content Security Policy blocks that.
  useEffect(() => {
    const script = document.createElement('script')
    script.type = 'application/ld+json'
    let isShown = true
    const fill = async () => {
      await waitForPageLoad()
      const { courseSchema } = await retryUntilLoaded(() => import('../structured-data-model.ts'))
      const { name, teaser } = localizedTextsOf(course, language)
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
