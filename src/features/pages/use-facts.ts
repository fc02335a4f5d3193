import { formatMoney } from '#contract/words.ts'
import { useConfig } from '#features/system/resource.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'

/** Values that texts interpolate: company name, contacts, surcharge for externals. */
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
