import { formatMoney } from '#contract/words.ts'
import { useConfig } from '#features/system/resource.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'

/** Returns the values that texts interpolate: company name, contacts, and the surcharge for external participants. */
export function useTextValues() {
  const language = useLanguage()
  const externalSurcharge = useConfig(state => state.data.externalSurcharge)
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
