import { useTranslation } from 'react-i18next'
import { formatMoney } from '#contract/words.ts'
import { usePortalConfig } from '#features/system/resource.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'

/** Returns the values that texts interpolate: company name, contacts, and the surcharge for external participants. */
export function useTextPlaceholderValues() {
  const language = useLanguage()
  const externalSurcharge = usePortalConfig(state => state.data.externalSurcharge)
  return {
    portal: branding.portalName,
    company: branding.name,
    group: branding.groupName,
    department: branding.department[language],
    insurer: branding.healthInsurer,
    address: `${branding.street}, ${branding.zip} ${branding.city}`,
    phone: branding.phone,
    email: branding.email,
    privacyEmail: branding.privacyEmail,
    officer: branding.dataProtectionOfficer,
    surcharge: formatMoney(externalSurcharge),
  }
}

/**
 * Returns a function that looks up multi-line texts in a language file, with company data interpolated.
 * @param more additional values
 */
export function useMultiLineTexts(namespace: string, more: Record<string, string> = {}): (key: string) => string[] {
  const { t } = useTranslation(namespace)
  const facts = useTextPlaceholderValues()
  return key => {
    const lines: unknown = t(key, { ...facts, ...more, returnObjects: true })
    return Array.isArray(lines) ? lines.map(String) : []
  }
}
