import { useTranslation } from 'react-i18next'
import { useTextValues } from './use-facts.ts'

/** Multi-line texts of a language file with interpolated company data. @param more additional values */
export function useTextLines(namespace: string, more: Record<string, string> = {}): (key: string) => string[] {
  const { t } = useTranslation(namespace)
  const facts = useTextValues()
  return key => {
    const lines: unknown = t(key, { ...facts, ...more, returnObjects: true })
    return Array.isArray(lines) ? lines.map(String) : []
  }
}
