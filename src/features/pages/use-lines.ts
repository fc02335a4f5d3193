import { useTranslation } from 'react-i18next'
import { useTextValues } from './use-facts.ts'

/**
 * Returns a function that looks up multi-line texts in a language file, with company data interpolated.
 * @param more additional values
 */
export function useTextLines(namespace: string, more: Record<string, string> = {}): (key: string) => string[] {
  const { t } = useTranslation(namespace)
  const facts = useTextValues()
  return key => {
    const lines: unknown = t(key, { ...facts, ...more, returnObjects: true })
    return Array.isArray(lines) ? lines.map(String) : []
  }
}
