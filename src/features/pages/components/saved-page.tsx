import { type ComponentType, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditablePageName } from '#contract/content-words.ts'
import { usePages } from '#features/pages/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { CleanHtml } from '#ui/clean-html.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'

/**
 * A page with the text that the department has edited or, if there is none, the built-in text.
 * @param screen key of the title in the shell's texts
 */
export const pageWithEditedText = (page: EditablePageName, screen: string, BuiltIn: ComponentType) =>
  function SavedPage() {
    const { t } = useTranslation('shell')
    const language = useLanguage()
    const saved = usePages(({ data }) => data.find(one => one.page === page))
    useEffect(() => {
      if (usePages.getState().asOf === null) void usePages.load()
    }, [])
    if (!saved) return <BuiltIn />
    const html = language === 'en' && saved.text2 !== '' ? saved.text2 : saved.text || saved.text2
    return (
      <>
        <ScreenHeader title={t(`title.${screen}`)} />
        <CleanHtml html={html} />
      </>
    )
  }
