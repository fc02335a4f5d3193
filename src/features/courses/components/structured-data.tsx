import { useEffect } from 'react'
import type { Course } from '#contract/endpoints/courses.ts'
import { retryUntilLoaded, waitForPageLoad } from '#lib/lazy-load.ts'
import { useLanguage } from '#lib/use-language.ts'

/**
 * JSON-LD structured data (schema.org) about the course for search engines. Added after rendering, because users do not
 * see it. In German, the server has sent it with the page (src/app/first-view.tsx).
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
      const { structuredDataOf } = await retryUntilLoaded(() => import('../structured-data-model.ts'))
      script.text = structuredDataOf(course, language, window.location.origin)
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
