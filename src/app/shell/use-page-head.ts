import i18next from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { UNLISTED_PAGES } from '#contract/public-pages.ts'
import { nameIn } from '#contract/words.ts'
import { branding } from '#lib/branding.ts'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import { useLanguage } from '#lib/use-language.ts'
import type { AppRoute } from '../routes.tsx'

/**
 * Sets the title and description for tabs, link previews and search engines. Personal pages are marked as noindex.
 * @param known topic of the page, if it is already loaded
 * @returns the page's title
 */
export function usePageHead(
  { name, access }: AppRoute,
  address: string,
  known?: { name: string; name2: string },
): string {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const own = useBreadcrumb(state => state.names[address])
  const title = own?.title ?? (known ? nameIn(language, known) : t(`title.${name}`))
  const documentTitle = `${title} · ${branding.portalName}`
  const description = own?.description
  const isPrivate = access === 'session' || name === 'not-found' || UNLISTED_PAGES.includes(address)

  useEffect(() => {
    document.title = documentTitle
    document.querySelector('meta[name="robots"]')?.setAttribute('content', isPrivate ? 'noindex' : 'all')
  }, [documentTitle, isPrivate])

  useEffect(() => {
    let isShown = true
    const describe = (words: string) =>
      isShown && document.querySelector('meta[name="description"]')?.setAttribute('content', words)
    const keys = [`descriptions:${name}`, 'descriptions:home']
    const department = branding.department[language]
    if (description) describe(description)
    // Descriptions are not visible on the screen, so they load later. If that fails, the old description remains.
    else
      i18next.loadNamespaces('descriptions').then(
        () => describe(i18next.t(keys, { department })),
        // The description is not essential.
        () => undefined,
      )
    return () => {
      isShown = false
    }
  }, [name, description, language])
  return title
}
