import { useEffect } from 'react'
import { company } from '#contract/company.ts'
import { useBreadcrumb } from './breadcrumb.ts'

/**
 * Gives a page the title, description and breadcrumb of what it shows instead of the route's own.
 * @param title null while it is not known
 */
export function usePageTitle(title: string | null, description: string, route: string): void {
  const add = useBreadcrumb(state => state.add)
  useEffect(() => {
    if (title === null) return
    const meta = document.querySelector<HTMLMetaElement>('meta[name="description"]')
    const before = meta?.content
    // After the page shell has set the route's.
    const timer = setTimeout(() => {
      document.title = `${title} · ${company.portalName}`
      add({ label: title, route })
      if (meta && description) meta.content = description
    })
    return () => {
      clearTimeout(timer)
      if (meta && before !== undefined) meta.content = before
    }
  }, [title, description, route, add])
}
