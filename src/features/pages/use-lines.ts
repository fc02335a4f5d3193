import { useTranslation } from 'react-i18next'
import { useFacts } from './use-facts.ts'

/** Texts of several lines from a language file, with the company's facts. @param more what these texts name besides */
export function useLines(namespace: string, more: Record<string, string> = {}): (key: string) => string[] {
  const { t } = useTranslation(namespace)
  const facts = useFacts()
  return key => {
    const lines: unknown = t(key, { ...facts, ...more, returnObjects: true })
    return Array.isArray(lines) ? lines.map(String) : []
  }
}
